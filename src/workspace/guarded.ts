/** Finds what programs in a workspace may not change or not even see, and what they made of it. */
import { isInside, pathsOf } from '../lib/files/absolute-paths.ts';
import { isExhausted, makeDirectory } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { orNull } from '../lib/or-null.ts';
import { isStateFolder } from './path-rules.ts';
import { kindsIn, type WalkEntry } from './walk.ts';

/** Paths are relative to the folder, with `/`. */
export interface Kinds {
  isGuarded(path: string): boolean;
  isHidden(path: string, isFolder: boolean): boolean;
  /** True for folders that are not entered. */
  isLeftOut(path: string, name: string): boolean;
}

export interface GuardedPlaces {
  /** Only the topmost paths, relative to the folder. */
  readonly guarded: readonly { readonly path: string; readonly isLink: boolean }[];
  readonly hidden: readonly { readonly path: string; readonly isFolder: boolean }[];
  /**
   * Places that are in neither list because their names are not UTF-8: such a name can be given to no
   * program, and what lies below is unknown.
   */
  readonly unnamed: readonly string[];
}

const MAX_ENTRIES = 200_000;

/**
 * Links are not followed and count by their own names; everything below a hidden folder is hidden. A folder that
 * cannot be read is hidden itself: a program may have closed it and could open it again.
 * @returns `null` if there are more entries than are examined, so that some places would be missed
 */
export function guardedPlaces(
  fs: FileSystem,
  folder: string,
  kinds: Kinds,
  most = MAX_ENTRIES,
): GuardedPlaces | null {
  const guarded: { path: string; isLink: boolean }[] = [];
  const hidden: { path: string; isFolder: boolean }[] = [];
  const unnamed: string[] = [];
  const folders = [''];
  let entries = 0;
  // The list grows while it is iterated.
  for (const prefix of folders) {
    const found = readFolder(fs, pathsOf(fs.platform).join(folder, prefix));
    if (found === null) hidden.push({ path: prefix.replace(/\/$/, ''), isFolder: true });
    for (const { path: name, info } of found ?? []) {
      entries += 1;
      if (entries > most) return null;
      const path = prefix + name;
      const isFolder = info.kind === 'directory';
      const isLeftOut = isFolder && kinds.isLeftOut(path, name);
      const isMeant = kinds.isGuarded(path) || kinds.isHidden(path, isFolder) || isFolder;
      if (isMeant && !isLeftOut && isUnnamed(fs, folder, path)) unnamed.push(path);
      else if (isStateFolder(name)) hidden.push({ path, isFolder });
      else if (kinds.isGuarded(path)) guarded.push({ path, isLink: info.kind === 'symlink' });
      else if (kinds.isHidden(path, isFolder))
        hidden.push(
          ...(info.kind === 'symlink' ? linkTarget(fs, folder, path) : [{ path, isFolder }]),
        );
      else if (isFolder && !isLeftOut) folders.push(`${path}/`);
    }
  }
  return { guarded, hidden, unnamed };
}

/** True if a name is not UTF-8: node reads such bytes as U+FFFD, and then finds nothing under that name. */
const isUnnamed = (fs: FileSystem, folder: string, path: string): boolean =>
  path.includes('\ufffd') && !hasEntry(fs, pathsOf(fs.platform).join(folder, path));

/** `null`: the folder exists but cannot be read. */
function readFolder(fs: FileSystem, folder: string): readonly WalkEntry[] | null {
  try {
    return kindsIn(fs, folder);
  } catch (error) {
    if (isExhausted(error)) throw error;
    return hasEntry(fs, folder) ? null : [];
  }
}

const hasEntry = (fs: FileSystem, path: string): boolean => orNull(() => fs.lstat(path)) !== null;

/** The place where the bytes of a hidden link are; outside the folder there is nothing to hide. */
function linkTarget(fs: FileSystem, folder: string, link: string): GuardedPlaces['hidden'] {
  const { join, relative, sep } = pathsOf(fs.platform);
  try {
    const real = fs.realpath(join(folder, link));
    if (!isInside(folder, real, fs.platform)) return [];
    const path = relative(folder, real).split(sep).join('/');
    return [{ path, isFolder: fs.stat(real).kind === 'directory' }];
  } catch {
    return [];
  }
}

/** The paths to put aside so that the kept files stay: for a folder with a kept file, its other entries. */
export function allBut(
  fs: FileSystem,
  folder: string,
  paths: readonly string[],
  kept: readonly string[],
): readonly string[] {
  return paths.flatMap((path): readonly string[] => {
    if (kept.includes(path)) return [];
    if (!kept.some((file) => file.startsWith(`${path}/`))) return [path];
    const entries = readFolder(fs, pathsOf(fs.platform).join(folder, path)) ?? [];
    const below = entries.map((entry) => `${path}/${entry.path}`);
    return allBut(fs, folder, below, kept);
  });
}

/**
 * Moves new files into a numbered folder of the state, so nothing is lost. What cannot be moved stays and is
 * not listed.
 * @param paths relative to `folder`
 */
export function putAside(
  fs: FileSystem,
  folder: string,
  paths: readonly string[],
  into: string,
): readonly string[] {
  if (paths.length === 0) return [];
  makeDirectory(fs, into);
  const { join } = pathsOf(fs.platform);
  const numbers = fs.readdir(into).map((name) => Number.parseInt(name, 10) || 0);
  let number = numbers.reduce((most, one) => Math.max(most, one), 0);
  return paths.filter((path) => {
    number += 1;
    try {
      fs.rename(join(folder, path), join(into, `${number}-${flattened(path)}`));
      return true;
    } catch {
      return false;
    }
  });
}

/** Disks refuse longer names; the number needs some of the 255 bytes. */
const LONGEST_NAME = 200;

/** The end of a path as one name. */
function flattened(path: string): string {
  const characters = [...path.replaceAll('/', '-')];
  let bytes = 0;
  const start = characters.findLastIndex((character) => {
    bytes += Buffer.byteLength(character);
    return bytes > LONGEST_NAME;
  });
  return characters.slice(start + 1).join('');
}
