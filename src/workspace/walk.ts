/** Looks over the files of a workspace, bounded, caches and logs apart. */
import { isExhausted, TEMPORARY_SUFFIX } from '../lib/durable-files.ts';
import type { FileInfo, FileSystem } from '../lib/file-system.ts';
import { pathsOf } from './jail.ts';
import { isStateFolder } from './path-rules.ts';

const IGNORED_NAMES = new Set(['.git', '.DS_Store']);
const LOG_ENDING = '.log';

/** True for names of caches, as the languages know them. */
export type IsCache = (name: string) => boolean;

/** Git's and our own folders and caches: nothing that a person made. */
export const isNobodys = (name: string, isCache: IsCache): boolean =>
  IGNORED_NAMES.has(name) ||
  isStateFolder(name) ||
  name.endsWith(TEMPORARY_SUFFIX) ||
  isCache(name);

/** The same and logs: neither work of the model nor a change by it. */
export const isIgnored = (name: string, isCache: IsCache): boolean =>
  name.endsWith(LOG_ENDING) || isNobodys(name, isCache);

export interface Entry {
  /** From the folder on, with `/`. */
  readonly path: string;
  readonly info: FileInfo;
}

/**
 * Entries below a folder in a stable order, links not followed; what cannot be read is left out.
 * @param isLeftOut of an entry with its whole path: a folder is not looked into then
 */
export function* walk(
  fs: FileSystem,
  folder: string,
  isCache: IsCache,
  prefix = '',
  isLeftOut?: (entry: Entry) => boolean,
): Generator<Entry> {
  const names = namesIn(fs, folder).filter((name) => !isIgnored(name, isCache));
  for (const entry of entriesOf(fs, folder, names)) {
    const relative = prefix + entry.path;
    const found = { path: relative, info: entry.info };
    if (isLeftOut?.(found)) continue;
    yield found;
    if (entry.info.kind === 'directory') {
      const below = pathsOf(fs.platform).join(folder, entry.path);
      yield* walk(fs, below, isCache, `${relative}/`, isLeftOut);
    }
  }
}

/** The names in one folder, sorted by code units, so that it reads the same everywhere. */
export function namesIn(fs: FileSystem, folder: string): readonly string[] {
  try {
    return fs.readdir(folder).sort();
  } catch (error) {
    if (isExhausted(error)) throw error;
    return [];
  }
}

/** What lies in one folder, each looked at when it is asked for: few want all of a huge one. */
export function* entriesOf(
  fs: FileSystem,
  folder: string,
  names = namesIn(fs, folder),
): Generator<Entry> {
  for (const name of names) {
    let info: FileInfo;
    try {
      info = fs.lstat(pathsOf(fs.platform).join(folder, name));
    } catch {
      // It went away between the two looks.
      continue;
    }
    yield { path: name, info };
  }
}
