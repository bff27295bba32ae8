/**
 * Reads AGENTS.md and similar files, from the repository root down to the workspace. This is the only place
 * that reads above the workspace. It never throws; what cannot be read is left out.
 * 1. A parent folder counts only within the repository, and only if not everyone may write to it.
 * 2. A file must be a regular file inside the repository after its links are resolved.
 * 3. Each folder contributes one rules file. The workspace's memory file and every file that someone names are
 *    always included.
 * 4. Imported files must lie in the workspace, contain text, and not be files for secrets.
 */
import { isSecretFile } from '../../languages/files/secret-files.ts';
import { isInside, pathsOf } from '../../lib/files/absolute-paths.ts';
import { readRange } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { withFile } from '../../lib/files/with-file.ts';
import { orNull } from '../../lib/or-null.ts';
import { sha256 } from '../../lib/sha256.ts';
import { sanitize } from '../../lib/text/plain-text.ts';
import {
  beginningOf,
  type InstructionRoom,
  type InstructionText,
  instructionsText,
  MEMORY_FILE,
} from '../../prompts/instructions.ts';
import type { RunPorts } from '../../round/run-ports.ts';
import { resolveInWorkspace } from '../../workspace/jail.ts';
import { cutAtCharacter, decodeText } from '../../workspace/text-encoding.ts';
import type { RunRequest } from '../options.ts';

/** Rules files of a project, in the order of preference within a folder. */
export const INSTRUCTION_FILES = ['AGENTS.md', MEMORY_FILE, 'CLAUDE.md'] as const;
/** The file whose imports are read as well. */
const IMPORTS = 'CLAUDE.md';

/** Limit for the memory file, of which the end is kept. */
export const MAX_MEMORY_BYTES = 64 * 1024;
/** Limit for every other file. */
const MAX_CHARS = 50_000;
/** No encoding needs more bytes for that many characters. */
const MAX_BYTES = 3 * MAX_CHARS;
const MAX_LEVELS = 40;
const MAX_IMPORTS = 10;
const DEEPEST_IMPORT = 5;

interface FoundInstructions extends InstructionText {
  /** Absolute, links resolved. */
  readonly real: string;
}

/** Nearest folder last; identical texts once. @param workspace absolute real path */
export function readInstructions(
  fs: FileSystem,
  workspace: string,
  names: readonly string[] | null = null,
): readonly InstructionText[] {
  const { basename, join, relative, sep } = pathsOf(fs.platform);
  const folders = foldersDown(fs, workspace);
  const [root = workspace] = folders;
  const shown = (path: string): string => relative(workspace, path).split(sep).join('/');
  const read = (path: string): FoundInstructions[] => {
    const one = readIn(fs, root, { path: shown(path), absolute: path });
    if (one === null) return [];
    return basename(path) === IMPORTS ? [one, ...importsOf(fs, workspace, one)] : [one];
  };
  const memory = join(workspace, MEMORY_FILE);
  const found = folders.flatMap((folder) => {
    const paths = (names ?? INSTRUCTION_FILES).map((name) => join(folder, name));
    if (names !== null) return paths.flatMap(read);
    const rules = paths.filter((path) => path !== memory);
    return firstThatIsThere(rules, read);
  });
  const isNamed = found.some(({ path }) => path === MEMORY_FILE);
  const all = isNamed ? found : [...found, ...read(memory)];
  return onceEach(all).map(({ real: _, ...file }) => file);
}

function firstThatIsThere(
  paths: readonly string[],
  read: (path: string) => readonly FoundInstructions[],
): readonly FoundInstructions[] {
  for (const path of paths) {
    const found = read(path);
    if (found.length > 0) return found;
  }
  return [];
}

/** The folders from the repository root to the workspace; only the workspace if there is no repository. */
function foldersDown(fs: FileSystem, workspace: string): readonly string[] {
  const { dirname, join } = pathsOf(fs.platform);
  const folders: string[] = [];
  let folder = workspace;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    folders.unshift(folder);
    if (isThere(fs, join(folder, '.git'))) return folders;
    const above = dirname(folder);
    if (above === folder || mayBeAnybodys(fs, above)) break;
    folder = above;
  }
  return [workspace];
}

function isThere(fs: FileSystem, path: string): boolean {
  const kind = orNull(() => fs.lstat(path))?.kind;
  return kind === 'directory' || kind === 'file';
}

const WRITABLE_BY_ALL = 0o002;

/** In a folder like /tmp, anyone could place a repository above other people's work. */
function mayBeAnybodys(fs: FileSystem, folder: string): boolean {
  try {
    return fs.platform !== 'win32' && (fs.stat(folder).mode & WRITABLE_BY_ALL) !== 0;
  } catch {
    return true;
  }
}

/** `null` when the file is missing, empty, not text, or must not be shown. */
function readIn(
  fs: FileSystem,
  root: string,
  { path, absolute }: { readonly path: string; readonly absolute: string },
): FoundInstructions | null {
  return orNull(() => {
    const real = fs.realpath(absolute);
    if (!isInside(root, real, fs.platform) || isSecretFile(real.replaceAll('\\', '/'))) return null;
    if (fs.stat(real).kind !== 'file') return null;
    return withFile(fs, real, (fd) => {
      const size = fs.size(fd);
      const decoded = decodeText(path === MEMORY_FILE ? endOf(fs, fd) : beginOf(fs, fd));
      const whole = decoded.kind === 'text' ? sanitize(decoded.text) : '';
      const text = path === MEMORY_FILE ? whole : beginningOf(whole, MAX_CHARS);
      if (text.trim() === '') return null;
      const isPart = text !== whole || size > mostBytesOf(path);
      return { path, real, text, ...(isPart ? { of: size } : {}) };
    });
  });
}

const mostBytesOf = (path: string): number => (path === MEMORY_FILE ? MAX_MEMORY_BYTES : MAX_BYTES);

const beginOf = (fs: FileSystem, fd: number): Uint8Array => {
  const size = fs.size(fd);
  const bytes = readRange(fs, fd, 0, Math.min(size, MAX_BYTES));
  return size > MAX_BYTES ? cutAtCharacter(bytes) : bytes;
};

/** Starts at a whole line if one begins in that range. */
function endOf(fs: FileSystem, fd: number): Uint8Array {
  const from = fs.size(fd) - MAX_MEMORY_BYTES;
  if (from <= 0) return readRange(fs, fd, 0, fs.size(fd));
  const bytes = readRange(fs, fd, from, MAX_MEMORY_BYTES);
  const line = bytes.indexOf(0x0a) + 1;
  const start = line > 0 && line < bytes.length ? line : bytes.findIndex(beginsCharacter);
  return bytes.subarray(Math.max(0, start));
}

const beginsCharacter = (byte: number): boolean => (byte & 0xc0) !== 0x80;

/** `@docs/rules.md` as a word of its own outside code. */
const IMPORT = /(?:^|\s)@([\w.~/-]*\w)/g;
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;

function importsOf(
  fs: FileSystem,
  workspace: string,
  first: FoundInstructions,
): FoundInstructions[] {
  const { dirname, join, relative, sep } = pathsOf(fs.platform);
  const found: FoundInstructions[] = [];
  const read = (from: FoundInstructions, depth: number): void => {
    if (depth > DEEPEST_IMPORT) return;
    for (const [, word = ''] of from.text.replace(CODE, '').matchAll(IMPORT)) {
      if (found.length >= MAX_IMPORTS) return;
      const wanted = relative(workspace, join(dirname(from.real), word))
        .split(sep)
        .join('/');
      const options = { platform: fs.platform, forWrite: false };
      const place = resolveInWorkspace(fs, workspace, wanted, options);
      if (place.kind !== 'inside' || !place.isThere || isSecretFile(place.relative)) continue;
      if ([first, ...found].some(({ real }) => real === place.absolute)) continue;
      const { relative: path, absolute } = place;
      const one = readIn(fs, workspace, { path, absolute });
      if (one === null) continue;
      found.push(one);
      read(one, depth + 1);
    }
  };
  read(first, 1);
  return found;
}

/** Drops copies and keeps the nearest file. */
function onceEach(files: readonly FoundInstructions[]): readonly FoundInstructions[] {
  const seen = new Set<string>();
  return files
    .toReversed()
    .filter(({ real, text }) => {
      const hash = sha256(text.trim());
      const isCopy = seen.has(hash) || seen.has(real);
      seen.add(hash).add(real);
      return !isCopy;
    })
    .toReversed();
}
type InstructionPorts = Pick<RunPorts, 'context' | 'toolContext' | 'policy' | 'emit'>;

/** @param wanted whether instructions are sent, or the names of the files to send */
export function instructionsIn(
  fs: FileSystem,
  workspace: string,
  wanted: RunRequest['instructions'],
): readonly InstructionText[] {
  if (wanted === false) return [];
  return readInstructions(fs, workspace, wanted === true ? null : wanted);
}

/** The instructions of a new run, with secrets removed. Empty for a resumed run, which has its own. */
export function instructionsFor(
  { context, toolContext, policy, emit }: InstructionPorts,
  { instructions, redactor }: Pick<RunRequest, 'instructions' | 'redactor'>,
): readonly InstructionText[] {
  if (context.state.settings !== null) return [];
  const found = instructionsIn(toolContext.fs, toolContext.workspace, instructions);
  // A rule that forbids showing a file also applies to what the engine reads.
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
  return files.map((file) => ({ ...file, text: redactor.text(file.text) }));
}

/** Reports which files do not fit completely. */
export function reportCuts(
  files: readonly InstructionText[],
  room: InstructionRoom,
  emit: (event: Notice) => void,
): void {
  for (const { path, size, isLeftOut } of instructionsText(files, room).cuts) {
    const part = path === MEMORY_FILE ? 'the model is told its end' : 'the model is told a part';
    const what = isLeftOut ? 'the model is told nothing of it' : part;
    const text = `${path} (${size}) is too long for the prompt: ${what}.`;
    emit({ type: 'notice', level: 'warning', text });
  }
}

interface Notice {
  readonly type: 'notice';
  readonly level: 'warning';
  readonly text: string;
}
