/**
 * The workspace as the engine itself sees it: through the jail. It throws only when the machine runs out of
 * handles or memory, because then nothing it reports would be true.
 */

import type { DriverWorld } from '../../drivers/driver.ts';
import { isCache } from '../../languages/languages.ts';
import { isExhausted, storageError } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { delegating } from '../../lib/files/hiding-file-system.ts';
import { stands } from '../../probe/names-file.ts';
import { readBytes } from '../../workspace/files.ts';
import { foldersHolding } from '../../workspace/folders-holding.ts';
import type { IgnoredFiles } from '../../workspace/git-ignored.ts';
import { resolveInWorkspace } from '../../workspace/jail.ts';
import { type WalkEntry, walkNames } from '../../workspace/walk.ts';

export interface World extends DriverWorld {
  /** The files without those that git ignores. The ones among them that the goal names stand last. */
  listed(count: number, goal: string): readonly string[];
  /** The same view for a moment in which nothing changes: it examines nothing twice. */
  oneLook(): World;
  /** Folders below the workspace that hold a wanted file, as far as the search goes. */
  foldersHolding(isWanted: (name: string) => boolean): readonly string[];
  /** The names in a folder, in any order. */
  names(folder: string): readonly string[];
}

/**
 * The view for one prompt: it omits the text of files that must not be shown, and does not list files that the
 * project builds or downloads. It shows one moment: nothing is examined, judged or read twice.
 */
export function visibleWorld(
  world: Pick<World, 'oneLook'>,
  goal: string,
  mayShow: (path: string) => boolean,
): DriverWorld {
  const { readText, exists, size, listed } = world.oneLook();
  const isShown = remembered(mayShow);
  return {
    exists,
    size,
    files: (count) => listed(count, goal),
    readText: remembered((path) => (isShown(path) ? readText(path) : null)),
    needsApproval: (path) => !isShown(path),
  };
}

function remembered<Found>(find: (path: string) => Found): (path: string) => Found {
  const known = new Map<string, Found>();
  return (path) => {
    const found = known.has(path) ? (known.get(path) as Found) : find(path);
    known.set(path, found);
    return found;
  };
}

const MAX_TEXT_BYTES = 1024 * 1024;

/** @param ignored files that git ignores; `null`: no such information */
export function worldOf(
  fs: FileSystem,
  workspace: string,
  ignored: IgnoredFiles | null = null,
): World {
  const options = { platform: fs.platform, forWrite: false };
  const resolve = (path: string) => resolveInWorkspace(fs, workspace, path, options);
  return {
    readText: (path) =>
      ignoringErrors(() => {
        const found = resolve(path);
        if (found.kind !== 'inside' || fs.stat(found.absolute).size > MAX_TEXT_BYTES) return null;
        return readBytes(fs, found.absolute, MAX_TEXT_BYTES)?.toString('utf8') ?? null;
      }, null),
    size: (path) =>
      ignoringErrors(() => {
        const found = resolve(path);
        const info = found.kind === 'inside' ? fs.stat(found.absolute) : null;
        return info?.kind === 'file' ? info.size : null;
      }, null),
    exists: (path) =>
      ignoringErrors(() => {
        const found = resolve(path);
        return found.kind === 'inside' && found.isThere;
      }, false),
    oneLook: () => worldOf(rememberedLooks(fs), workspace, ignored),
    files: (count) => ignoringErrors(() => firstFiles(fs, workspace, count), []),
    foldersHolding: (isWanted) =>
      ignoringErrors(() => foldersHolding(fs, workspace, isCache, isWanted), []),
    names: (folder) =>
      ignoringErrors(() => {
        const found = resolve(folder);
        return found.kind === 'inside' ? fs.readdir(found.absolute) : [];
      }, []),
    listed: (count, goal) =>
      ignoringErrors(() => {
        const named = new Set<string>();
        const isLeftOut = ({ path, info: { kind } }: WalkEntry): boolean => {
          if (!ignored?.isIgnored(path, kind === 'directory')) return false;
          if (named.size >= count || !isNamedIn(goal, path)) return true;
          named.add(path);
          return false;
        };
        return firstFiles(fs, workspace, count, { isLeftOut, isLast: (path) => named.has(path) });
      }, []),
  };
}

/** Caches what it found for the duration of one look. */
function rememberedLooks(fs: FileSystem): FileSystem {
  const lstat = remembered((path) => fs.lstat(path));
  const { kinds } = fs;
  return {
    ...delegating(fs),
    ...(kinds === undefined ? {} : { kinds: remembered((path) => kinds.call(fs, path)) }),
    readdir: remembered((path) => fs.readdir(path)),
    lstat,
    stat: (path) => {
      const info = lstat(path);
      return info.kind === 'symlink' ? fs.stat(path) : info;
    },
    realpath: remembered((path) => fs.realpath(path)),
  };
}

/** True when the goal names the file or a folder above it. */
function isNamedIn(goal: string, path: string): boolean {
  const names = goal.replaceAll(/[\\/]/g, ' ');
  return path.split('/').some((name) => stands(names, name));
}

interface FilesWanted {
  isLeftOut(entry: WalkEntry): boolean;
  /** True for files that stand behind all others. */
  isLast(path: string): boolean;
}

function firstFiles(
  fs: FileSystem,
  workspace: string,
  count: number,
  wanted?: FilesWanted,
): readonly string[] {
  const names: string[] = [];
  const last: string[] = [];
  for (const { path, info } of walkNames(fs, workspace, isCache, wanted?.isLeftOut)) {
    if (info.kind !== 'file') continue;
    (wanted?.isLast(path) ? last : names).push(path);
    if (names.length >= count) break;
  }
  return [...names.sort(), ...last.sort()].slice(0, count);
}

function ignoringErrors<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch (error) {
    if (isExhausted(error)) throw storageError(error, 'looking at the workspace');
    return otherwise;
  }
}
