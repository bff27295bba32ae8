/** Finds folders that hold certain files, from the top down, without following links. */
import { pathsOf } from '../lib/files/absolute-paths.ts';
import type { FileInfo, FileSystem } from '../lib/files/file-system.ts';
import { orNull } from '../lib/or-null.ts';
import { type IsCache, isIgnored, kindsIn } from './walk.ts';

const MAX_READ = 500;
const DEEPEST = 4;

/** The folders below the workspace, relative with `/`, in a stable order. */
export function foldersHolding(
  fs: FileSystem,
  workspace: string,
  isCache: IsCache,
  isWanted: (name: string) => boolean,
): readonly string[] {
  const { join } = pathsOf(fs.platform);
  const found: string[] = [];
  const folders = [''];
  // Most names are neither folders nor wanted. They are dropped early, because a start waits for this.
  const isOfUse = (name: string, kind?: FileInfo['kind']): boolean =>
    (kind !== 'file' || isWanted(name)) && !isIgnored(name, isCache);
  for (let next = 0; next < Math.min(folders.length, MAX_READ); next += 1) {
    const folder = folders[next] ?? '';
    const parts = folder === '' ? [] : folder.split('/');
    const entries = orNull(() => kindsIn(fs, join(workspace, ...parts), isOfUse)) ?? [];
    for (const { path: name, info } of entries)
      if (info.kind === 'directory' && parts.length < DEEPEST)
        folders.push([...parts, name].join('/'));
    if (
      folder !== '' &&
      entries.some(({ path: name, info }) => info.kind === 'file' && isWanted(name))
    )
      found.push(folder);
  }
  return found;
}
