/**
 * A wish for a run or a conversation: a file that is written before the process that fulfils it starts, and names
 * the work.
 *
 * 1. However often a process is started for it, the run is begun once: its name is the same, and one lock holds it.
 * 2. Whoever works on it says so beside it, and takes that away at the end, and a wish for a run with it.
 */
import * as z from 'zod';
import { type LockOwner, livenessOf } from '../journal/lock/identity.ts';
import { discard, errorCode, readFileIfPresent, writeFully } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import type { ProcessIdentity } from '../lib/process-identity.ts';

export const QueuedRun = z.object({
  run: z.string().regex(/^[\w-]{1,64}$/),
  /** Absolute real path. */
  workspace: z.string(),
  /** `null`: the run goes on. */
  goal: z.string().nullable(),
  /** Words of the command line behind its command. */
  words: z.array(z.string()),
  /** Milliseconds since 1970. */
  at: z.number(),
});
export type QueuedRun = z.infer<typeof QueuedRun>;

/** How a conversation is held; it is kept, so that the next process holds it alike. */
export const StoredTalk = z.object({
  session: z.string().regex(/^[\w-]{1,64}$/),
  /** Absolute real path. */
  workspace: z.string(),
  name: z.string().exactOptional(),
  /** PROVIDER/NAME or NAME; left out: what it was held with, else the usual one. */
  model: z.string().exactOptional(),
  toolMode: z.enum(['auto', 'native', 'json']).exactOptional(),
  temperature: z.number().exactOptional(),
  maxIterations: z.number().exactOptional(),
  systemPrompt: z.string().exactOptional(),
  /** What was said elsewhere before: where it begins, it goes on from there. */
  messages: z.array(z.unknown()).exactOptional(),
});
export type StoredTalk = z.infer<typeof StoredTalk>;

/** `null` where there is none that can be read. */
export const readQueuedRun = (fs: FileSystem, file: string): QueuedRun | null =>
  readFileAs(fs, file, QueuedRun);
/** The same of a conversation. */
export const readStoredTalk = (fs: FileSystem, file: string): StoredTalk | null =>
  readFileAs(fs, file, StoredTalk);

function readFileAs<Content>(
  fs: FileSystem,
  file: string,
  schema: z.ZodType<Content>,
): Content | null {
  try {
    return schema.parse(JSON.parse(readFileIfPresent(fs, file)?.toString('utf8') ?? ''));
  } catch {
    return null;
  }
}

const claimOf = (file: string): string => `${file}.claim`;

const Owner = z.object({
  host: z.string(),
  boot: z.string(),
  pidNamespace: z.string(),
  pid: z.number(),
  startTime: z.string(),
  since: z.number(),
});

/** Whether somebody works on it. A claim of somebody who is gone is taken away. */
export function isClaimed(fs: FileSystem, file: string, identity: ProcessIdentity): boolean {
  const owner = claimant(fs, file);
  if (owner !== null && livenessOf(owner, identity) !== 'dead') return true;
  if (owner !== null) discard(fs, claimOf(file));
  return false;
}

function claimant(fs: FileSystem, file: string): LockOwner | null {
  try {
    return Owner.parse(JSON.parse(readFileIfPresent(fs, claimOf(file))?.toString('utf8') ?? ''));
  } catch {
    return null;
  }
}

/** Says that this process works on it; `null` where another one does. @returns what takes the claim away */
export function claimWorkFile(
  fs: FileSystem,
  file: string,
  { identity, now }: { readonly identity: ProcessIdentity; readonly now: number },
): (() => void) | null {
  if (isClaimed(fs, file, identity)) return null;
  const { host, boot, pidNamespace, pid } = identity;
  const owner = { host, boot, pidNamespace, pid, startTime: identity.startTimeOf(pid) ?? '' };
  const claim = claimOf(file);
  try {
    const fd = fs.open(claim, 'wx', 0o600);
    try {
      writeFully(fs, fd, Buffer.from(JSON.stringify({ ...owner, since: now })), 0);
    } finally {
      fs.close(fd);
    }
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return null;
    throw error;
  }
  return () => discard(fs, claim);
}
