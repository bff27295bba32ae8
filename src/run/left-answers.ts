/**
 * Reads answers that another process left in a folder of the state. Each is a signed record in a file of its
 * own and is taken once.
 */
import * as z from 'zod';
import type { Origin } from '../context-manager/origin.ts';
import { misuse, type TardigradeError } from '../lib/errors.ts';
import { dirname, join } from '../lib/files/absolute-paths.ts';
import { NO_LINKS } from '../lib/files/claim-file.ts';
import {
  discard,
  errorCode,
  fileKindAt,
  makeDirectory,
  readRange,
  storageError,
  syncDirectory,
  writeTemporary,
} from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { newTemporaryOf } from '../lib/files/temporary-name.ts';
import { withFile } from '../lib/files/with-file.ts';
import { orNull } from '../lib/or-null.ts';
import type { LeftAnswers } from '../round/permission/person.ts';
import type { RecordOf } from '../schema/records.ts';

/** The id becomes a file name, so it must not contain a path. */
const NAME = /^[0-9a-f]{32}$/;
const MAX = 50;
const MAX_BYTES = 16_384;

const Left = z.object({
  type: z.literal('approval_given'),
  id: z.string().regex(NAME),
  allowed: z.boolean(),
  why: z.string().max(4_000),
  scope: z.literal('call'),
  by: z.string().max(200).optional(),
  door: z.string().max(200).optional(),
  mac: z.string().optional(),
});

interface AnswerFolder {
  readonly fs: FileSystem;
  /** The folder of the answers, absolute. */
  readonly folder: string;
  readonly run: string;
  readonly origin: Origin;
}

/** Files that this user did not sign are deleted without effect. */
export function leftAnswers({ fs, folder, run, origin }: AnswerFolder): LeftAnswers {
  return {
    take: (record) => {
      const names = namesIn(fs, folder);
      record(
        names.flatMap((name) => {
          const left = readLeft(fs, join(folder, name));
          return left !== null && left.id === name && origin.isOwnGrant(run, left) ? [left] : [];
        }),
      );
      // After a kill before this point the next start finds the answer again, but its question is not open
      // any more.
      for (const name of names) discard(fs, join(folder, name));
    },
  };
}

function namesIn(fs: FileSystem, folder: string): readonly string[] {
  if (orNull(() => fs.lstat(folder))?.kind !== 'directory') return [];
  return (orNull(() => fs.readdir(folder)) ?? [])
    .filter((name) => NAME.test(name))
    .sort()
    .slice(0, MAX);
}

const readLeft = (fs: FileSystem, path: string) =>
  orNull(() => {
    if (fs.lstat(path).kind !== 'file') return null;
    const text = withFile(fs, path, (fd) => readRange(fs, fd, 0, MAX_BYTES).toString('utf8'));
    return Left.safeParse(JSON.parse(text)).data ?? null;
  });

export const answeredAlready = (): TardigradeError =>
  misuse('That call was answered already.', 'See where the run stands', {
    command: ['status'],
  });

type Given = Pick<RecordOf<'approval_given'>, 'id' | 'allowed' | 'why' | 'by' | 'door'>;

export const isSameAnswer = (one: Given, { id, allowed, why }: Given): boolean =>
  one.id === id && one.allowed === allowed && one.why === why;

/** The answer is durable on return. Throws E_USAGE when an earlier answer is already there. */
export function leaveAnswer(
  { fs, folder, run, origin }: AnswerFolder,
  { mayRepeat = false, ...answer }: Given & { readonly mayRepeat?: boolean },
): void {
  const record = origin.sign({ type: 'approval_given', ...answer, scope: 'call' } as const, run);
  if (fileKindAt(fs, folder) === null) makeDirectory(fs, folder);
  const path = join(folder, answer.id);
  const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
  for (let tries = 1; ; tries += 1) {
    const inTheWay = putNew(fs, path, bytes);
    if (inTheWay === null) return;
    const left = readLeft(fs, path);
    if (left?.id === answer.id && origin.isOwnGrant(run, left)) {
      if (mayRepeat && isSameAnswer(left, answer)) return;
      throw answeredAlready();
    }
    if (tries === MAX_TRIES) throw storageError(inTheWay, `writing ${path}`);
    // Somebody else's file keeps no answer out.
    discard(fs, path);
  }
}

const MAX_TRIES = 3;

/**
 * Durable on return. Returns the error if the file exists already, which then stays. Of two processes at
 * once, one puts its file.
 */
function putNew(fs: FileSystem, path: string, bytes: Uint8Array): unknown {
  const temporary = newTemporaryOf(path);
  const how = { mode: 0o600, isSynced: true };
  try {
    writeTemporary(fs, temporary, bytes, how);
    putIn(fs, temporary, path);
    syncDirectory(fs, dirname(path));
    return null;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return error;
    throw storageError(error, `writing ${path}`);
  } finally {
    discard(fs, temporary);
  }
}

/** On a disk without links the later of two processes in the same instant wins; each file is whole. */
function putIn(fs: FileSystem, temporary: string, path: string): void {
  try {
    fs.link(temporary, path);
  } catch (error) {
    if (!NO_LINKS.has(errorCode(error))) throw error;
    if (fileKindAt(fs, path) !== null)
      throw Object.assign(new Error(`EEXIST: ${path}`), { code: 'EEXIST' });
    fs.rename(temporary, path);
  }
}
