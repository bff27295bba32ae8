/**
 * Scans the whole workspace by name, size and times; no content is read.
 * 1. The scan is limited, and works folder by folder from the top, so that one huge folder hides none beside or
 *    above it.
 * 2. A folder is listed completely or not at all, so that "it did not exist" is never a guess.
 * 3. Links are recorded and not followed.
 */
import { pathsOf } from '../lib/files/absolute-paths.ts';
import type { FileInfo, FileSystem } from '../lib/files/file-system.ts';
import type { Interruptible } from '../lib/interruptible.ts';
import { orNull } from '../lib/or-null.ts';
import { protectedFolder } from './path-rules.ts';
import { type IsCache, isNobodys } from './walk.ts';

/** What is known of a file without reading it. */
export type FileStamp = Pick<FileInfo, 'size' | 'mode' | 'mtimeMs' | 'changedMs' | 'inode'>;

export interface WorkspaceScan {
  /** Every file by its path relative to the workspace, with `/`. */
  readonly files: ReadonlyMap<string, FileStamp>;
  /** Folders, links, and names that could not be examined. */
  readonly others: ReadonlyMap<string, Exclude<FileInfo['kind'], 'file'> | 'unknown'>;
  /** Folders that were listed; '' is the workspace. */
  readonly listed: ReadonlySet<string>;
  /** Folders that were not listed, and why. */
  readonly unlisted: ReadonlyMap<string, 'unreadable' | 'too_many'>;
}

/** The most names in one scan. */
export const MAX_NAMES = 20_000;

/**
 * Yields once per folder.
 * @param isCacheFolder true for a folder in which nothing is listed
 */
export function* scanWorkspace(
  fs: FileSystem,
  workspace: string,
  isCache: IsCache,
  maxNames = MAX_NAMES,
  isCacheFolder: (folder: string, names: readonly string[]) => boolean = () => false,
): Interruptible<WorkspaceScan> {
  const files = new Map<string, FileStamp>();
  const others = new Map<string, Exclude<FileInfo['kind'], 'file'> | 'unknown'>();
  const listed = new Set<string>();
  const unlisted = new Map<string, 'unreadable' | 'too_many'>();
  const folders = [''];
  const { sep } = pathsOf(fs.platform);
  let count = 0;
  for (let next = 0; next < folders.length; next += 1) {
    yield;
    const folder = folders[next] ?? '';
    const absolute = placeIn(fs, workspace, folder);
    const names = orNull(() => fs.readdir(absolute));
    if (names !== null && isCacheFolder(folder, names)) continue;
    if (names === null || count + names.length > maxNames) {
      unlisted.set(folder, names === null ? 'unreadable' : 'too_many');
      continue;
    }
    count += names.length;
    listed.add(folder);
    for (const name of names.filter((one) => isTheirs(one, isCache)).sort()) {
      const path = folder === '' ? name : `${folder}/${name}`;
      const info = orNull(() => fs.lstat(`${absolute}${absolute.endsWith(sep) ? '' : sep}${name}`));
      if (info?.kind === 'file') files.set(path, seenOf(info));
      else others.set(path, info?.kind ?? 'unknown');
      if (info?.kind === 'directory') folders.push(path);
    }
  }
  return { files, others, listed, unlisted };
}

const isTheirs = (name: string, isCache: IsCache): boolean =>
  !isNobodys(name, isCache) && protectedFolder([name]) === null;

/** The absolute path for a path of a scan. */
export const placeIn = (fs: FileSystem, workspace: string, path: string): string =>
  path === '' ? workspace : pathsOf(fs.platform).join(workspace, ...path.split('/'));

const seenOf = ({ size, mode, mtimeMs, changedMs, inode }: FileInfo): FileStamp => ({
  size,
  mode,
  mtimeMs,
  ...(changedMs === undefined ? {} : { changedMs }),
  ...(inode === undefined || inode === 0 ? {} : { inode }),
});

/** True if nothing indicates a change. */
export const isSameStamp = (one: FileStamp, other: FileStamp): boolean =>
  one.size === other.size &&
  one.mtimeMs === other.mtimeMs &&
  one.changedMs === other.changedMs &&
  one.inode === other.inode;

/** True if nothing was there at the time of the scan; false if the scan does not say. */
export function wasAbsent(scan: WorkspaceScan, path: string): boolean {
  const parts = path.split('/');
  let folder = '';
  for (const part of parts) {
    if (!scan.listed.has(folder)) return false;
    const here = folder === '' ? part : `${folder}/${part}`;
    if (scan.files.has(here)) return here !== path;
    const other = scan.others.get(here);
    if (other === undefined) return true;
    if (other !== 'directory') return here !== path && other !== 'unknown';
    folder = here;
  }
  return false;
}
