/**
 * What the files `.gitignore` of a workspace leave out. They are read as they are met; their
 * patterns are a project's own and become regular expressions, so that they have bounds.
 */
import ignore, { type Ignore } from 'ignore';
import { isExhausted } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { readBytes } from './files.ts';
import { pathsOf } from './jail.ts';

export interface IgnoredFiles {
  /** @param path from the workspace on, with `/`; one that lies in an ignored folder is not asked for */
  isIgnored(path: string, isFolder: boolean): boolean;
  /** Patterns that are not heeded, of all files that were read until now. */
  unheeded(): number;
}

const NAME = '.gitignore';
const MAX_BYTES = 256 * 1024;
const MAX_LENGTH = 500;
/** Of one file: each path is held against each of them. */
const MOST_PATTERNS = 1_000;
/** Each may match any number of characters: with many of them a name takes for ever. */
const MAX_STARS = 4;

/** What is left out where the workspace says at its top that git leaves something out, else `null`. */
export function ignoredByProject(fs: FileSystem, workspace: string): IgnoredFiles | null {
  try {
    fs.lstat(pathsOf(fs.platform).join(workspace, NAME));
  } catch (error) {
    if (isExhausted(error)) throw error;
    return null;
  }
  return ignoredIn(fs, workspace);
}

export function ignoredIn(fs: FileSystem, workspace: string): IgnoredFiles {
  const known = new Map<string, Ignore | null>();
  let unheeded = 0;
  const leaveOut = (count: number): void => {
    unheeded += count;
  };
  const rulesOf = (folder: string): Ignore | null => {
    const read = known.get(folder);
    if (read !== undefined) return read;
    const rules = readRules(fs, workspace, folder, leaveOut);
    known.set(folder, rules);
    return rules;
  };
  return {
    unheeded: () => unheeded,
    isIgnored: (path, isFolder) => {
      let ignored = false;
      for (const folder of foldersAbove(path)) {
        const rest = folder === '' ? path : path.slice(folder.length + 1);
        const verdict = rulesOf(folder)?.test(isFolder ? `${rest}/` : rest);
        if (verdict?.ignored) ignored = true;
        else if (verdict?.unignored) ignored = false;
      }
      return ignored;
    },
  };
}

/** `''`, `a` and `a/b` for `a/b/c`. */
function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
}

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
    leaveOut(Math.max(0, patterns.length - MOST_PATTERNS));
    return ignore({ allowRelativePaths: true }).add(patterns.slice(0, MOST_PATTERNS));
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
