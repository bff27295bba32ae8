/**
 * Applies the `.gitignore` files of a workspace, which are read when they are met. Their patterns come from the
 * project and become regular expressions, so they are limited.
 */
import ignore, { type Ignore } from 'ignore';
import { pathsOf } from '../lib/files/absolute-paths.ts';
import { isExhausted } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { lazily } from '../lib/lazily.ts';
import { readBytes } from './files.ts';

export interface IgnoredFiles {
  /** @param path relative to the workspace, with `/`; must not be called for paths inside an ignored folder */
  isIgnored(path: string, isFolder: boolean): boolean;
  /** Patterns behind the first `MAX_PATTERNS` of a file, in all files read so far. */
  unheeded(): number;
}

const NAME = '.gitignore';
const MAX_BYTES = 256 * 1024;
const MAX_LENGTH = 500;
/** The most patterns of one file, because each path is compared with each of them. */
const MAX_PATTERNS = 1_000;
/**
 * The most wildcards of a pattern. Each may match any number of characters, and with many of them matching
 * takes forever.
 */
const MAX_STARS = 4;

/** The ignored files if the workspace has a `.gitignore` at its top; otherwise `null`. */
export function ignoredByProject(fs: FileSystem, workspace: string): IgnoredFiles | null {
  try {
    fs.lstat(pathsOf(fs.platform).join(workspace, NAME));
  } catch (error) {
    if (isExhausted(error)) throw error;
    return null;
  }
  return ignoredIn(fs, workspace);
}

/** Whether git ignores a path of the workspace, by the `.gitignore` files that are there on the first question. */
export function gitIgnores(
  fs: FileSystem,
  workspace: string,
  kind: 'file' | 'folder' = 'file',
): (path: string) => boolean {
  const found = lazily(() => ignoredByProject(fs, workspace));
  return (path) => {
    const parts = path.split('/');
    const isFolder = (at: number): boolean => at < parts.length - 1 || kind === 'folder';
    // Folders are asked from the top: the patterns may not be asked about a path in an ignored folder.
    return parts.some(
      (_, at) => found()?.isIgnored(parts.slice(0, at + 1).join('/'), isFolder(at)) === true,
    );
  };
}

export function ignoredIn(fs: FileSystem, workspace: string): IgnoredFiles {
  let unheeded = 0;
  const leaveOut = (count: number): void => {
    unheeded += count;
  };
  const chains = new Map<string, readonly Rules[]>();
  /** The rules of a folder and of its parents, outermost first; many files share a folder. */
  const chainOf = (folder: string): readonly Rules[] => {
    const known = chains.get(folder);
    if (known !== undefined) return known;
    const above = folder === '' ? [] : chainOf(folderOf(folder));
    const rules = readRules(fs, workspace, folder, leaveOut);
    const from = folder === '' ? 0 : folder.length + 1;
    const chain = rules === null ? above : [...above, { from, rules }];
    chains.set(folder, chain);
    return chain;
  };
  return {
    unheeded: () => unheeded,
    isIgnored: (path, isFolder) => {
      let ignored = false;
      for (const { from, rules } of chainOf(folderOf(path))) {
        const verdict = rules.test(path.slice(from) + (isFolder ? '/' : ''));
        if (verdict.ignored) ignored = true;
        else if (verdict.unignored) ignored = false;
      }
      return ignored;
    },
  };
}

/** The patterns of one folder, and where in a path their part begins. */
interface Rules {
  readonly from: number;
  readonly rules: Ignore;
}

/** `''` for what is in the workspace itself. */
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

function readRules(
  fs: FileSystem,
  workspace: string,
  folder: string,
  leaveOut: (patterns: number) => void,
): Ignore | null {
  try {
    const place = pathsOf(fs.platform).join(workspace, ...folder.split('/'), NAME);
    if (fs.lstat(place).kind !== 'file') return null;
    const text = readBytes(fs, place, MAX_BYTES)?.toString('utf8');
    if (text === undefined) return null;
    const patterns = bounded(text);
    leaveOut(Math.max(0, patterns.length - MAX_PATTERNS));
    return ignore({ allowRelativePaths: true }).add(patterns.slice(0, MAX_PATTERNS));
  } catch (error) {
    if (isExhausted(error)) throw error;
    return null;
  }
}

const bounded = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .filter((line) => line.length <= MAX_LENGTH && line.split(/\*+/).length - 1 <= MAX_STARS);
