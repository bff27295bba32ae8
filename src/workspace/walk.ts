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

/** Entries below a folder in a stable order, links not followed; what cannot be read is left out. */
export function* walk(
  fs: FileSystem,
  folder: string,
  isCache: IsCache,
  prefix = '',
): Generator<Entry> {
  for (const entry of entriesOf(fs, folder)) {
    if (isIgnored(entry.path, isCache)) continue;
    const relative = prefix + entry.path;
    yield { path: relative, info: entry.info };
    if (entry.info.kind === 'directory') {
      yield* walk(fs, pathsOf(fs.platform).join(folder, entry.path), isCache, `${relative}/`);
    }
  }
}

/** One folder, sorted by code units, so that it reads the same everywhere. */
export function entriesOf(fs: FileSystem, folder: string): readonly Entry[] {
  let names: string[];
  try {
    names = fs.readdir(folder);
  } catch (error) {
    if (isExhausted(error)) throw error;
    return [];
  }
  const entries: Entry[] = [];
  for (const name of names.sort()) {
    try {
      entries.push({ path: name, info: fs.lstat(pathsOf(fs.platform).join(folder, name)) });
    } catch {
      // It went away between the two looks.
    }
  }
  return entries;
}
