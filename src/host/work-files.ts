/**
 * A work file describes a run or a conversation. It is written before the process that does the work starts.
 *
 * 1. However many processes are started for it, the run begins once: its name stays the same, and one lock guards it.
 * 2. The process that works on it claims it in a file beside it, and removes the claim at the end, together with the
 *    work file of a run. If it was interrupted, it keeps the file, because the work may not have begun: the
 *    server decides.
 * 3. A claim gets its name only when it is complete, so a killed process leaves none without its owner.
 * 4. Whoever removes the claim of a process that has gone holds a claim of that claim. Else two that found it at once
 *    would both have the file: the slower one would remove the claim that the faster one has put in its place.
 */
import * as z from 'zod';
import { type LockHolder, livenessOf } from '../journal/lock/identity.ts';
import { claimFile } from '../lib/files/claim-file.ts';
import {
  discard,
  readFileIfPresent,
  replaceFile,
  withStorageErrors,
} from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { readFileAs } from '../lib/files/json-file.ts';
import { newTemporaryOf } from '../lib/files/temporary-name.ts';
import { jsonIn } from '../lib/json-value.ts';
import { orNull } from '../lib/or-null.ts';
import type { ProcessIdentity } from '../lib/process-identity.ts';
import { ProcessOwner } from '../schema/journal/before-image-copies.ts';

export const QueuedRun = z.object({
  run: z.string().regex(/^[\w-]{1,64}$/),
  /** Absolute real path. */
  workspace: z.string(),
  /** `null`: the run continues. */
  goal: z.string().nullable(),
  /** The words of the command line after its command. */
  words: z.array(z.string()),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** The server that accepted the run; left out: an earlier version did. */
  server: ProcessOwner.exactOptional(),
  /** The run is not begun once that server has gone. */
  needsServer: z.literal(true).exactOptional(),
  /** The run's process had begun the run, whose journal is gone now. */
  isGone: z.literal(true).exactOptional(),
});
export type QueuedRun = z.infer<typeof QueuedRun>;

/** How a conversation is held; stored so that the next process holds it in the same way. */
export const StoredTalk = z.object({
  session: z.string().regex(/^[\w-]{1,64}$/),
  /** Absolute real path. */
  workspace: z.string(),
  name: z.string().exactOptional(),
  /** PROVIDER/NAME or NAME; left out: the conversation's former model, else the usual one. */
  model: z.string().exactOptional(),
  toolMode: z.enum(['auto', 'native', 'json']).exactOptional(),
  temperature: z.number().exactOptional(),
  maxIterations: z.number().exactOptional(),
  systemPrompt: z.string().exactOptional(),
  /** Earlier messages from elsewhere: a new conversation continues from them. */
  messages: z.array(z.unknown()).exactOptional(),
});
export type StoredTalk = z.infer<typeof StoredTalk>;

/** `null` if there is none, or it is unreadable. */
export const readQueuedRun = (fs: FileSystem, file: string): QueuedRun | null =>
  readFileAs(fs, file, QueuedRun);
export const readStoredTalk = (fs: FileSystem, file: string): StoredTalk | null =>
  readFileAs(fs, file, StoredTalk);

/** Keeps the request of a run that no journal has, in the place where the server looks for such requests. */
export const keepUnrecorded = (fs: FileSystem, file: string, run: QueuedRun): void =>
  replaceFile(fs, file.replace(/\.json$/, '.failed'), Buffer.from(JSON.stringify(run)));

const claimOf = (file: string): string => `${file}.claim`;

/**
 * True if a process works on the file.
 * @param isOver asked only about an owner that cannot be examined from here
 */
export function isClaimed(
  fs: FileSystem,
  file: string,
  identity: ProcessIdentity,
  isOver: (owner: LockHolder) => boolean = () => false,
): boolean {
  try {
    const bytes = readFileIfPresent(fs, claimOf(file));
    return bytes !== null && !isLeft(bytes, identity, isOver);
  } catch {
    // A claim that cannot be read now may be that of a living process.
    return true;
  }
}

/** True for a claim whose process has gone. */
function isLeft(
  bytes: Buffer,
  identity: ProcessIdentity,
  isOver: (owner: LockHolder) => boolean,
): boolean {
  const owner = ownerIn(bytes);
  if (owner === null) return true;
  const life = livenessOf(owner, identity);
  return life === 'dead' || (life === 'unknown' && isOver(owner));
}

/** The owner in a claim; `null` for a claim without one, which a kill or a power loss left. */
const ownerIn = (bytes: Buffer): LockHolder | null =>
  ProcessOwner.safeParse(jsonIn(bytes.toString('utf8'))).data ?? null;

export function ownerNow(identity: ProcessIdentity, since: number): LockHolder {
  const { host, boot, pidNamespace, pid } = identity;
  return { host, boot, pidNamespace, pid, startTime: identity.startTimeOf(pid) ?? '', since };
}

/** True if another server accepted the run and may still begin it. */
export function isOfOther({ server, needsServer }: QueuedRun, identity: ProcessIdentity): boolean {
  if (server === undefined || server.pid === identity.pid) return false;
  const life = livenessOf(server, identity);
  // A server whose life cannot be seen is often a container's before its restart; the claim keeps the work to one.
  return life === 'alive' || (life === 'unknown' && needsServer === true);
}

interface Claiming {
  readonly identity: ProcessIdentity;
  readonly now: number;
  /** How long an owner that cannot be examined from here keeps its claim, in ms; left out: always. */
  readonly unseenMs?: number;
}

/**
 * Claims the file for this process. Throws E_DISK_FULL, E_IO.
 * @returns a function that removes the claim; `null`: another process has it
 */
export function claimWorkFile(
  fs: FileSystem,
  file: string,
  claiming: Claiming,
): (() => void) | null {
  const { identity, now, unseenMs = Number.POSITIVE_INFINITY } = claiming;
  const isOver = ({ since }: LockHolder) => now - since > unseenMs;
  if (isClaimed(fs, file, identity, isOver)) return null;
  const owner = ownerNow(identity, now);
  const claim = claimOf(file);
  const isThere = (): boolean => {
    const left = orNull(() => readFileIfPresent(fs, claim));
    return left !== null && isLeft(left, identity, isOver);
  };
  // Invariant 4.
  const release = isThere() ? claimWorkFile(fs, claim, claiming) : null;
  if (release !== null && isThere()) discard(fs, claim);
  release?.();
  const bytes = Buffer.from(JSON.stringify(owner));
  return withStorageErrors(`writing ${claim}`, () =>
    claimFile(fs, newTemporaryOf(claim), claim, bytes) ? () => discard(fs, claim) : null,
  );
}
