/**
 * What the files `.gitignore` of a workspace leave out. They are read as they are met; their
 * patterns are a project's own and become regular expressions, so that they have bounds.
 */
import { isExhausted } from '../lib/durable-files.ts';
import type { FileSystem } from '../lib/file-system.ts';
import { readBytes } from './files.ts';
import { pathsOf } from './jail.ts';

/** Of the package `ignore` what is used: its types would become types of ours. */
interface Ignore {
  add(lines: string[]): Ignore;
  test(path: string): { readonly ignored: boolean; readonly unignored: boolean };
}

/** The default export of that package, which is loaded by those who look for files. */
export type MakeIgnore = (options?: { readonly allowRelativePaths?: boolean }) => Ignore;

export interface IgnoredFiles {
  /** @param path from the workspace on, with `/`; one that lies in an ignored folder is not asked for */
  isIgnored(path: string, isFolder: boolean): boolean;
}

const NAME = '.gitignore';
const MAX_BYTES = 256 * 1024;
const MAX_LENGTH = 500;
/** Each may match any number of characters: with many of them a name takes for ever. */
const MAX_STARS = 4;

/** Loads what reads `.gitignore` only once somebody looks for files. */
export async function ignoredIn(fs: FileSystem, workspace: string): Promise<IgnoredFiles> {
  const { default: make } = await import('ignore');
  return gitIgnored(fs, workspace, make);
}

/** The same where the workspace says at its top that git leaves something out, else `null`. */
export async function ignoredByProject(
  fs: FileSystem,
  workspace: string,
): Promise<IgnoredFiles | null> {
  try {
    fs.lstat(pathsOf(fs.platform).join(workspace, NAME));
  } catch (error) {
    if (isExhausted(error)) throw error;
    return null;
  }
  return ignoredIn(fs, workspace);
}

export function gitIgnored(fs: FileSystem, workspace: string, make: MakeIgnore): IgnoredFiles {
  const known = new Map<string, Ignore | null>();
  const rulesOf = (folder: string): Ignore | null => {
    const read = known.get(folder);
    if (read !== undefined) return read;
    const rules = readRules(fs, workspace, folder, make);
    known.set(folder, rules);
    return rules;
  };
  return {
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
  make: MakeIgnore,
): Ignore | null {
  try {
    const place = pathsOf(fs.platform).join(workspace, ...folder.split('/'), NAME);
    if (fs.lstat(place).kind !== 'file') return null;
    const text = readBytes(fs, place, MAX_BYTES)?.toString('utf8');
    return text === undefined ? null : make({ allowRelativePaths: true }).add(bounded(text));
  } catch (error) {
    if (isExhausted(error)) throw error;
    return null;
  }
}

const bounded = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.length <= MAX_LENGTH && line.split(/\*+/).length - 1 <= MAX_STARS);
