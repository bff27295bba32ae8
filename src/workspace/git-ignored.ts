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
  let unheeded = 0;
  const leaveOut = (count: number): void => {
    unheeded += count;
  };
  const chains = new Map<string, readonly Rules[]>();
  /** Of a folder and of those it lies in, the outermost first; many files share a folder. */
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

/** The patterns of one folder, and where in a path the part begins that they are about. */
interface Rules {
  readonly from: number;
  readonly rules: Ignore;
}

/** `''` for what lies in the workspace itself. */
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
