/**
 * AGENTS.md and its like, from the root of the repository down to the workspace: the one place that reads above the
 * workspace. Nothing of it throws; what cannot be read is left out.
 * 1. A folder above counts only up to the root of a repository, and only where not everybody may write.
 * 2. A file is a plain file of the repository after its links are resolved; one a folder.
 * 3. What a file imports lies in the workspace, is text, and is no file for secrets.
 */
import { createHash } from 'node:crypto';
import { isSecretFile } from '../languages/secret-files.ts';
import { readRange } from '../lib/durable-files.ts';
import type { FileSystem } from '../lib/file-system.ts';
import { sanitize } from '../lib/plain-text.ts';
import type { InstructionText } from '../prompts/instructions.ts';
import type { Run } from '../round/run.ts';
import { isInside, pathsOf, resolveInWorkspace } from '../workspace/jail.ts';
import { decodeText } from '../workspace/text-encoding.ts';
import type { RunRequest } from './options.ts';

/** In the order in which one is looked for in a folder. */
export const INSTRUCTION_FILES = ['AGENTS.md', 'AGENT.md', 'CLAUDE.md'] as const;
/** Its imports are read as well. */
const IMPORTS = 'CLAUDE.md';

const MOST_BYTES = 32 * 1024;
const MOST_LEVELS = 40;
const MOST_IMPORTS = 10;
const DEEPEST_IMPORT = 5;

interface Found extends InstructionText {
  /** Absolute, links resolved. */
  readonly real: string;
}

/** @param workspace absolute real path. The nearest last; the same text once. */
export function readInstructions(
  fs: FileSystem,
  workspace: string,
  names: readonly string[] = INSTRUCTION_FILES,
): readonly InstructionText[] {
  const { join, relative, sep } = pathsOf(fs.platform);
  const folders = foldersDown(fs, workspace);
  const [root = workspace] = folders;
  const shown = (path: string): string => relative(workspace, path).split(sep).join('/');
  const found = folders.flatMap((folder) => {
    for (const name of names) {
      const path = join(folder, name);
      const file = readIn(fs, root, path);
      if (file === null || file.text.trim() === '') continue;
      const one = { path: shown(path), ...file };
      return name === IMPORTS ? [one, ...importsOf(fs, workspace, one)] : [one];
    }
    return [];
  });
  return onceEach(found).map(({ path, text }) => ({ path, text }));
}

/** From the root of the repository to the workspace; the workspace alone where it is in none. */
function foldersDown(fs: FileSystem, workspace: string): readonly string[] {
  const { dirname, join } = pathsOf(fs.platform);
  const folders: string[] = [];
  let folder = workspace;
  for (let level = 0; level < MOST_LEVELS; level += 1) {
    folders.unshift(folder);
    if (isThere(fs, join(folder, '.git'))) return folders;
    const above = dirname(folder);
    if (above === folder || mayBeAnybodys(fs, above)) break;
    folder = above;
  }
  return [workspace];
}

function isThere(fs: FileSystem, path: string): boolean {
  try {
    const { kind } = fs.lstat(path);
    return kind === 'directory' || kind === 'file';
  } catch {
    return false;
  }
}

const WRITABLE_BY_ALL = 0o002;

/** In such a folder, as /tmp is one, anybody can put a repository above the work of others. */
function mayBeAnybodys(fs: FileSystem, folder: string): boolean {
  try {
    return fs.platform !== 'win32' && (fs.stat(folder).mode & WRITABLE_BY_ALL) !== 0;
  } catch {
    return true;
  }
}

function readIn(fs: FileSystem, root: string, path: string): Omit<Found, 'path'> | null {
  try {
    const real = fs.realpath(path);
    if (!isInside(root, real, fs.platform) || isSecretFile(real.replaceAll('\\', '/'))) return null;
    if (fs.stat(real).kind !== 'file') return null;
    const fd = fs.open(real, 'r');
    try {
      const bytes = readRange(fs, fd, 0, Math.min(fs.size(fd), MOST_BYTES));
      const decoded = decodeText(bytes);
      return decoded.kind === 'text' ? { real, text: sanitize(decoded.text) } : null;
    } finally {
      fs.close(fd);
    }
  } catch {
    return null;
  }
}

/** `@docs/rules.md`, as a word of its own outside of code. */
const IMPORT = /(?:^|\s)@([\w.~/-]*\w)/g;
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;

function importsOf(fs: FileSystem, workspace: string, first: Found): Found[] {
  const { dirname, join, relative, sep } = pathsOf(fs.platform);
  const found: Found[] = [];
  const read = (from: Found, depth: number): void => {
    if (depth > DEEPEST_IMPORT) return;
    for (const [, word = ''] of from.text.replace(CODE, '').matchAll(IMPORT)) {
      if (found.length >= MOST_IMPORTS) return;
      const path = relative(workspace, join(dirname(from.real), word))
        .split(sep)
        .join('/');
      const options = { platform: fs.platform, forWrite: false };
      const place = resolveInWorkspace(fs, workspace, path, options);
      if (place.kind !== 'inside' || !place.isThere || isSecretFile(place.relative)) continue;
      if ([first, ...found].some(({ real }) => real === place.absolute)) continue;
      const file = readIn(fs, workspace, place.absolute);
      if (file === null || file.text.trim() === '') continue;
      const one = { path: place.relative, ...file };
      found.push(one);
      read(one, depth + 1);
    }
  };
  read(first, 1);
  return found;
}

/** A copy tells nothing new; the nearest one stays. */
function onceEach(files: readonly Found[]): readonly Found[] {
  const seen = new Set<string>();
  return files
    .toReversed()
    .filter(({ text }) => {
      const hash = createHash('sha256').update(text.trim()).digest('hex');
      return seen.has(hash) ? false : seen.add(hash);
    })
    .toReversed();
}

type Wish = Pick<RunRequest, 'instructions' | 'redactor'>;
type Place = Pick<Run, 'context' | 'toolContext' | 'policy' | 'emit'>;

/** @param wish whether they are told, or the names of those that are */
export function instructionsIn(
  fs: FileSystem,
  workspace: string,
  wish: RunRequest['instructions'],
): readonly InstructionText[] {
  if (wish === false) return [];
  return readInstructions(fs, workspace, wish === true ? INSTRUCTION_FILES : wish);
}

/** Those of a run that begins, without keys; none for one that goes on: it has its own. */
export function instructionsFor(
  { context, toolContext, policy, emit }: Place,
  { instructions, redactor }: Wish,
): readonly InstructionText[] {
  if (context.state.settings !== null) return [];
  const found = instructionsIn(toolContext.fs, toolContext.workspace, instructions);
  // A rule that holds reading back holds for what the engine reads, too.
  const files = found.filter(({ path }) => policy.mayShow(path));
  const say = (what: string, list: readonly InstructionText[]): void => {
    const text = `${what}: ${list.map(({ path }) => path).join(', ')}`;
    if (list.length > 0) emit({ type: 'notice', level: 'info', text });
  };
  say('The model is told', files);
  say(
    'Not told, as a rule holds them back',
    found.filter((one) => !files.includes(one)),
  );
  return files.map(({ path, text }) => ({ path, text: redactor.text(text) }));
}
