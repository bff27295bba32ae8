/** Walks the files of a workspace with a limit, without caches and logs. */
import { pathsOf } from '../lib/files/absolute-paths.ts';
import { isExhausted, TEMPORARY_SUFFIX } from '../lib/files/durable-files.ts';
import type { FileInfo, FileSystem } from '../lib/files/file-system.ts';
import { orNull } from '../lib/or-null.ts';
import { isStateFolder } from './path-rules.ts';

const IGNORED_NAMES = new Set(['.git', '.DS_Store']);
const LOG_ENDING = '.log';

/** True for names of caches, as the languages declare them. */
export type IsCache = (name: string) => boolean;

/** Folders and caches of git and of this program: nothing that a person made. */
export const isNobodys = (name: string, isCache: IsCache): boolean =>
  IGNORED_NAMES.has(name) ||
  isStateFolder(name) ||
  name.endsWith(TEMPORARY_SUFFIX) ||
  isCache(name);

/** The same plus logs: neither the model's work nor a change by it. */
export const isIgnored = (name: string, isCache: IsCache): boolean =>
  name.endsWith(LOG_ENDING) || isNobodys(name, isCache);

export interface WalkedEntry {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly info: FileInfo;
}

/** What the folder itself says about it. */
export interface WalkEntry {
  readonly path: string;
  readonly info: Pick<FileInfo, 'kind'>;
}

/** Reads one folder; `isWanted` selects the names of interest. */
type ListFolder<Seen extends WalkEntry> = (
  fs: FileSystem,
  folder: string,
  isWanted: (name: string) => boolean,
) => Iterable<Seen>;

/**
 * Entries below a folder in a stable order, without following links; what cannot be read is skipped.
 * @param isLeftOut called with an entry and its whole path; such a folder is not entered
 */
export const walk = (
  fs: FileSystem,
  folder: string,
  isCache: IsCache,
  prefix = '',
  isLeftOut?: (entry: WalkedEntry) => boolean,
): Generator<WalkedEntry> =>
  walking(fs, folder, { list: entriesIn, ...worthSeeing(isCache), isLeftOut }, prefix);

/** The same for callers that decide themselves which names are skipped. */
export const walkExcept = (
  fs: FileSystem,
  folder: string,
  isSkipped: (name: string) => boolean,
  prefix: string,
): Generator<WalkedEntry> =>
  walking(fs, folder, { list: entriesIn, isSkipped, isLeftOut: undefined }, prefix);

/** The same for callers that need only names and kinds: entries are not examined individually. */
export const walkNames = (
  fs: FileSystem,
  folder: string,
  isCache: IsCache,
  isLeftOut?: (entry: WalkEntry) => boolean,
): Generator<WalkEntry> =>
  walking(fs, folder, { list: foundIn, ...worthSeeing(isCache), isLeftOut }, '');

const worthSeeing = (isCache: IsCache) => ({
  isSkipped: (name: string): boolean => isIgnored(name, isCache),
});

interface Walk<Seen extends WalkEntry> {
  readonly list: ListFolder<Seen>;
  isSkipped(name: string): boolean;
  readonly isLeftOut: ((entry: Seen) => boolean) | undefined;
}

function* walking<Seen extends WalkEntry>(
  fs: FileSystem,
  folder: string,
  walk: Walk<Seen>,
  prefix: string,
): Generator<Seen> {
  for (const entry of walk.list(fs, folder, (name) => !walk.isSkipped(name))) {
    const relative = prefix + entry.path;
    const found = { ...entry, path: relative };
    if (walk.isLeftOut?.(found)) continue;
    yield found;
    if (entry.info.kind === 'directory') {
      const below = pathsOf(fs.platform).join(folder, entry.path);
      yield* walking(fs, below, walk, `${relative}/`);
    }
  }
}

const entriesIn: ListFolder<WalkedEntry> = (fs, folder, isWanted) =>
  entriesOf(fs, folder, namesIn(fs, folder).filter(isWanted));

const foundIn: ListFolder<WalkEntry> = (fs, folder, isWanted) =>
  unlessUnreadable(() => kindsIn(fs, folder, isWanted));

/**
 * The entries of one folder from a single read of it, in the same order. Throws if it cannot be read.
 * @param isWanted called before the entries are sorted; without a kind if only a closer look at the entry
 * tells it
 */
export function kindsIn(
  fs: FileSystem,
  folder: string,
  isWanted: (name: string, kind?: FileInfo['kind']) => boolean = () => true,
): readonly WalkEntry[] {
  if (fs.kinds === undefined) {
    const names = fs.readdir(folder).filter((name) => isWanted(name));
    return [...entriesOf(fs, folder, names.sort())];
  }
  return fs
    .kinds(folder)
    .filter(({ name, kind }) => isWanted(name, kind))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap(({ name, kind }): readonly WalkEntry[] =>
      // Windows also reports other things as links.
      kind === 'symlink' ? [...entriesOf(fs, folder, [name])] : [{ path: name, info: { kind } }],
    );
}

/** The names in one folder, sorted by code units, so that the order is the same everywhere. */
export const namesIn = (fs: FileSystem, folder: string): readonly string[] =>
  unlessUnreadable(() => fs.readdir(folder).sort());

function unlessUnreadable<Value>(read: () => readonly Value[]): readonly Value[] {
  try {
    return read();
  } catch (error) {
    if (isExhausted(error)) throw error;
    return [];
  }
}

/** The entries of one folder, each examined when it is requested, because few callers want all of a huge folder. */
export function* entriesOf(
  fs: FileSystem,
  folder: string,
  names = namesIn(fs, folder),
): Generator<WalkedEntry> {
  for (const name of names) {
    const info = orNull(() => fs.lstat(pathsOf(fs.platform).join(folder, name)));
    // The entry may have disappeared between the two reads.
    if (info !== null) yield { path: name, info };
  }
}
