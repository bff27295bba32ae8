/** The files in a copy of the workspace, before and after a child's work. */

import { leftOutOfCopy } from '../../evidence/trials/in-copy.ts';
import type { ChangedFile } from '../../evidence/work.ts';
import { defined } from '../../lib/defined.ts';
import { join } from '../../lib/files/absolute-paths.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { Interruptible } from '../../lib/interruptible.ts';
import type { WorkspacePlace } from '../../undo/folders.ts';
import { hashingIfReadable } from '../../workspace/files.ts';
import { copiedFiles } from '../../workspace/scratch.ts';

/**
 * The mark of every file in the copy, by path, which a join compares; `null`: there are too many files for a
 * copy.
 * @param onLink called with the path of each link, because a copy has no links
 */
export function* hashesIn(
  { fs, workspace }: WorkspacePlace,
  onLink?: (path: string) => void,
): Interruptible<Map<string, string> | null> {
  const isLeftOut = leftOutOfCopy(fs.platform);
  const found = yield* copiedFiles({ fs, workspace, isLeftOut, ...defined({ onLink }) });
  if (found === null) return null;
  const hashes = new Map<string, string>();
  for (const { path, info } of found) {
    const hash = yield* hashingIfReadable(fs, join(workspace, path));
    // A file that cannot be read now must not be changed by a child either.
    hashes.set(path, markOf(fs, hash ?? '', info.mode));
    yield;
  }
  return hashes;
}

/** The sha256 of a file, and whether its owner may run it. */
export const markOf = ({ platform }: FileSystem, hash: string, mode: number): string =>
  platform !== 'win32' && (mode & 0o100) !== 0 ? `${hash} x` : hash;

/** Paths whose mark differs, with the mark before and after; `null`: no file. */
export function changedMarks(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly ChangedFile[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path) => {
    const change = { path, before: before.get(path) ?? null, after: after.get(path) ?? null };
    return change.before === change.after ? [] : [change];
  });
}

export const asText = (hashes: ReadonlyMap<string, string>): string =>
  JSON.stringify(Object.fromEntries(hashes));

/** No schema check is needed: the engine wrote this text, and its checksum was verified. */
export const fromText = (text: string): ReadonlyMap<string, string> =>
  new Map(Object.entries(JSON.parse(text) as { readonly [path: string]: string }));
