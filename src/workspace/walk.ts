/** Looks over the files of a workspace, bounded, caches and logs apart. */
import { createHash } from 'node:crypto';
import type { FileInfo, FileSystem } from '../lib/file-system.ts';
import { hashFile } from './files.ts';
import { pathsOf } from './jail.ts';

const IGNORED_NAMES = new Set(['.git', '.agent_context', '.DS_Store']);
const IGNORED_ENDINGS = ['.log', '.agent.tmp'];

/** True for names of caches, as the languages know them. */
export type IsCache = (name: string) => boolean;

/** Caches, logs and our own folders: neither work of the model nor a change by it. */
export const isIgnored = (name: string, isCache: IsCache): boolean =>
  IGNORED_NAMES.has(name) ||
  IGNORED_ENDINGS.some((ending) => name.endsWith(ending)) ||
  isCache(name);

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
  } catch {
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

export interface FingerprintLimits {
  readonly entries: number;
  /** Files up to this size are compared by content, so that writing the same again is no change. */
  readonly contentBytes: number;
  readonly contentFiles: number;
}

const LIMITS: FingerprintLimits = { entries: 5_000, contentBytes: 64 * 1024, contentFiles: 200 };

/**
 * One word for the state of the workspace's files: equal before and after means nothing changed
 * that counts. Larger files are told by size and time, entries beyond the limit not at all.
 */
export function workspaceFingerprint(
  fs: FileSystem,
  workspace: string,
  isCache: IsCache,
  limits: FingerprintLimits = LIMITS,
): string {
  const hash = createHash('sha256');
  let entries = 0;
  let contents = 0;
  for (const { path: relative, info } of walk(fs, workspace, isCache)) {
    if (++entries > limits.entries) break;
    hash.update(`${relative}\0${info.kind}\0`);
    if (info.kind !== 'file') continue;
    const isSmall = info.size <= limits.contentBytes && ++contents <= limits.contentFiles;
    hash.update(
      isSmall ? contentOf(fs, pathsOf(fs.platform).join(workspace, relative)) : timeOf(info),
    );
  }
  return hash.digest('hex');
}

const timeOf = (info: FileInfo): string => `${info.size} ${info.mtimeMs}`;

function contentOf(fs: FileSystem, absolute: string): string {
  try {
    return hashFile(fs, absolute) ?? 'gone';
  } catch {
    return 'unreadable';
  }
}
