/** The files of a copy of the workspace, as a child begins with them and as it leaves them. */
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

/** The sha256 of each file that a copy has, by its path; `null`: they are too many for one. */
export function* hashesIn({ fs, workspace }: Folder): Interruptible<Map<string, string> | null> {
  const found = yield* filesOf({ fs, workspace, isLeftOut: leftOutOfCopy(fs.platform) });
  if (found === null) return null;
  const hashes = new Map<string, string>();
  for (const { path } of found) {
    const hash = yield* hashingIfReadable(fs, join(workspace, path));
    // What cannot be read now is nothing that a child may change.
    hashes.set(path, hash ?? '');
    yield;
  }
  return hashes;
}

/** Paths whose content is another one, with the hash before and after; `null`: no file. */
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

/** Our own words: their checksum held. */
export const fromText = (text: string): ReadonlyMap<string, string> =>
  new Map(Object.entries(JSON.parse(text) as { readonly [path: string]: string }));
