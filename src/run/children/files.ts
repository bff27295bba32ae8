/** The files in a copy of the workspace, before and after a child's work. */
import { join } from 'node:path';
import { leftOutOfCopy } from '../../evidence/trials/in-copy.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { Interruptible } from '../../lib/interruptible.ts';
import { hashingIfReadable } from '../../workspace/files.ts';
import { filesOf } from '../../workspace/scratch.ts';

interface Folder {
  readonly fs: FileSystem;
  /** Absolute. */
  readonly workspace: string;
}

/** The sha256 of every file in the copy, by path; `null`: there are too many files for a copy. */
export function* hashesIn({ fs, workspace }: Folder): Interruptible<Map<string, string> | null> {
  const found = yield* filesOf({ fs, workspace, isLeftOut: leftOutOfCopy(fs.platform) });
  if (found === null) return null;
  const hashes = new Map<string, string>();
  for (const { path } of found) {
    const hash = yield* hashingIfReadable(fs, join(workspace, path));
    // A file that cannot be read now must not be changed by a child either.
    hashes.set(path, hash ?? '');
    yield;
  }
  return hashes;
}

/** Paths whose content differs, with the hash before and after; `null`: no file. */
export function changesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}[] {
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
