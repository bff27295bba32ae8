/** Finds what a proof may run, as far as its words and the build files say it. Pure. */

import { posix } from 'node:path';
import { behindBuilds, isInterpreter, onlyChecks } from '../languages/commands/allowed-commands.ts';
import { type BuildFiles, type LineBehind, NO_BUILDS } from '../languages/commands/command-rule.ts';
import { isLanguagesOwn, onlyTests } from '../languages/commands/only-tests.ts';
import { programName } from '../languages/commands/program-name.ts';
import {
  isCodeByName,
  isDataPath,
  isDependency,
  isDocument,
  isSettingsCode,
  isTestPath,
  languageOf,
} from '../languages/languages.ts';
import {
  filesRunBy,
  runsKnownTests,
  runsTests,
  wordsRunTests,
} from '../languages/testing/test-runs.ts';
import { readLine } from '../policy/command/lines.ts';
import { commandPartsOf } from '../policy/command/parts.ts';
import { isReadOnlyProgram } from '../policy/command/read-only-programs.ts';
import { isShell } from '../policy/command/wrappers.ts';
import type { Proof } from '../schema/plan.ts';
import { type ChangedFile, isCode, madeIn, type RunWork } from './work.ts';

interface Changed extends BuildFiles {
  readonly changed: readonly ChangedFile[];
  /** As it was when the run opened. */
  readonly textBefore: (path: string) => string | null;
  /** True for a file that the goal names. */
  readonly isAsked: (path: string) => boolean;
  readonly workspace: string;
  readonly platform: NodeJS.Platform;
}

/** Files that existed before the run and that it changed: by them alone a proof can be made to pass. */
export interface ChangedOfProof {
  /** What the proof surely runs as a program, without the files that a test runner picks up by their names. */
  readonly programs: readonly string[];
  /** What the proof may run: code files named in the arguments of a program that the engine does not know. */
  readonly named: readonly string[];
  /** Build files by which the proof ran something else before, and settings of a checker. */
  readonly settings: readonly string[];
  /** The command stands for lines of a build file, and stood for none before the run. */
  readonly isNew: boolean;
}

export function changedOfProof({ cmd }: Pick<Proof, 'cmd'>, run: Changed): ChangedOfProof {
  const { changed, readText, platform } = run;
  const files = run.files.filter((path) => !isDependency(path));
  const now = linesOf(cmd, { files, readText }, platform);
  const before = linesOf(cmd, { files, readText: run.textBefore }, platform);
  const isNew = now.named.length > 0 && before.named.length === 0;
  const newFiles = isNew ? now.named.map(({ file }) => file) : [];
  const really = changed.filter(({ before, after }) => before !== after);
  const old = really.filter(({ path, before }) => before !== null && !isTestPath(path));
  const paths = old.map(({ path }) => path);
  const runs = runsOf([{ text: cmd, folder: '' }, ...now.all], paths, run);
  const isIn = (kind: keyof RunFiles) => (path: string) =>
    runs.some((one) => one[kind].includes(path));
  const programs = paths.filter(isIn('certain'));
  const isCheck = [{ text: cmd, folder: '' }, ...now.all]
    .flatMap((line) => commandsAt(line, platform))
    .some(({ words }) => onlyChecks(words));
  return {
    programs,
    named: paths.filter(isIn('possible')).filter((path) => !programs.includes(path)),
    settings: really
      .filter(
        ({ path, before: was }) =>
          (!newFiles.includes(path) && saidBy(path, now) !== saidBy(path, before)) ||
          (was !== null && isCheck && steersChecks(path, { ...run, files })),
      )
      .map(({ path }) => path),
    isNew,
  };
}

/** True for settings of a checker: a file that is not code and that no code reads. */
function steersChecks(
  path: string,
  { files, readText, isAsked }: Pick<Changed, 'files' | 'readText' | 'isAsked'>,
): boolean {
  if (isAsked(path) || isDocument(path)) return false;
  if (isCodeByName(path)) return isSettingsCode(path);
  const name = posix.basename(path);
  return !files.some((one) => isCodeByName(one) && readText(one)?.includes(name));
}

/** True if it runs tests in files that a language here knows, by its own words or by the lines it stands for. */
export const isKnownTestRun = (
  { cmd }: Pick<Proof, 'cmd'>,
  run: Pick<Changed, 'files' | 'readText' | 'platform'>,
): boolean =>
  runsKnownTests(cmd) ||
  (runsTests(cmd) && linesOf(cmd, run, run.platform).all.some(({ text }) => runsKnownTests(text)));

/** The command of a proof and the lines of build files that it stands for, and the programs that these surely run. */
export function partsOfProof(
  { cmd }: Pick<Proof, 'cmd'>,
  run: Omit<Changed, 'changed' | 'textBefore' | 'isAsked'>,
): { readonly lines: readonly LineBehind[]; readonly programs: readonly string[] } {
  const lines = [{ text: cmd, file: '', folder: '' }, ...linesOf(cmd, run, run.platform).all];
  return { lines, programs: runsOf(lines, run.files, run).flatMap(({ certain }) => certain) };
}

interface Lines {
  /** The lines that the command itself stands for. */
  readonly named: readonly LineBehind[];
  /** These lines, and the lines that they stand for in turn. */
  readonly all: readonly LineBehind[];
}

function linesOf(cmd: string, view: BuildFiles, platform: NodeJS.Platform): Lines {
  const behind = behindBuilds(view);
  const found = new Map<string, LineBehind>();
  const newIn = (lines: readonly string[]): readonly LineBehind[] =>
    lines
      .flatMap((line) => commandsIn(line, platform))
      .flatMap(behind)
      .filter((line) => {
        const key = `${line.file} ${line.text}`;
        return !found.has(key) && found.set(key, line);
      });
  const named = newIn([cmd]);
  for (let next = named; next.length > 0; next = newIn(next.map(({ text }) => text)));
  return { named, all: [...found.values()] };
}

const saidBy = (path: string, { all }: Lines): string =>
  all.flatMap(({ file, text }) => (file === path ? [text] : [])).join('\n');

const commandsIn = (line: string, platform: NodeJS.Platform): readonly (readonly string[])[] =>
  readLine(line, platform).commands;

/** True for a command of nothing but programs that show what files hold, such as `grep`. */
export const onlyReads = ({ cmd }: Proof, platform: NodeJS.Platform): boolean => {
  const commands = commandsIn(cmd, platform);
  return commands.length > 0 && commands.every(([program = '']) => isReadOnlyProgram(program));
};

/** True for a command that holds code: an interpreter or a shell without a file and without a module. */
export function takesCode(
  cmd: string,
  view: Omit<Changed, 'changed' | 'textBefore' | 'isAsked' | 'files'>,
): boolean {
  return commandsAt({ text: cmd, folder: '' }, view.platform).some(({ words, folder }) => {
    const [program = '', ...args] = words;
    const name = programName(program, view.platform);
    if (!isShell(name) && !isInterpreter(name)) return false;
    const first = args.find((arg) => !arg.startsWith('-')) ?? '';
    const isFile = view.readText(inWorkspace(first, folder, view.workspace)) !== null;
    return !args.includes('-m') && !isFile;
  });
}

interface CommandAt {
  readonly words: readonly string[];
  /** The folder of the workspace in which it works. */
  readonly folder: string;
}

/** The commands of a line, and those that wrappers and shells run for them. */
function commandsAt(
  { text, folder }: Pick<LineBehind, 'text' | 'folder'>,
  platform: NodeJS.Platform,
): readonly CommandAt[] {
  const options = { platform, isOutside: () => false, builds: NO_BUILDS, isElsewhere: false };
  let at = folder;
  return commandsIn(text, platform)
    .flatMap((words) => commandPartsOf(words, options))
    .filter(({ isGuess }) => !isGuess)
    .flatMap(({ words }) => {
      if (words[0] === 'cd') at = posix.join(at, words[1] ?? '');
      return { words, folder: at };
    });
}

interface RunFiles {
  readonly certain: readonly string[];
  readonly possible: readonly string[];
}

type Placed = Pick<Changed, 'readText' | 'workspace' | 'platform'>;

const runsOf = (
  lines: readonly Pick<LineBehind, 'text' | 'folder'>[],
  paths: readonly string[],
  run: Placed,
): readonly RunFiles[] =>
  lines
    .flatMap((line) => commandsAt(line, run.platform))
    .map((command) => runFilesOf(command, paths, run));

/** The files of `paths` that one command runs, certainly or possibly. */
function runFilesOf(
  { words, folder }: CommandAt,
  paths: readonly string[],
  { readText, workspace, platform }: Placed,
): RunFiles {
  const [program = '', ...args] = words;
  const name = programName(program, platform);
  if (onlyChecks(words) || isReadOnlyProgram(name)) return { certain: [], possible: [] };
  const placed = (word: string): string => inWorkspace(word, folder, workspace);
  const among = (texts: readonly string[]): readonly string[] =>
    paths.filter((path) => texts.some((text) => isMeant(placed(text), path)));
  const [, ...runs] = filesRunBy([name, ...args]);
  const files = runs.filter((file) => readText(placed(file)) !== null);
  // Among several files, one that only defines things is a library of the others.
  const isUsed = (path: string): boolean =>
    files.length > 1 && languageOf(path).onlyDefines?.(readText(path) ?? '') === true;
  const certain = among([program, ...runs]).filter((path) => !isUsed(path));
  if (wordsRunTests(words)) {
    const named = among(args);
    return onlyTests(words) ? { certain: named, possible: [] } : { certain, possible: named };
  }
  const isRunner = isShell(name) || (isInterpreter(name) && !args.includes('-m'));
  if (isRunner || isLanguagesOwn(name)) {
    // After a program come its arguments. A command whose module is not here runs no other file.
    const isFile = (word: string): boolean =>
      among([word]).length > 0 || readText(placed(word)) !== null;
    return {
      certain: [...certain, ...among(isRunner ? args.filter(isFile).slice(0, 1) : [])],
      possible: [],
    };
  }
  const named = among(args.flatMap((word) => [word, ...word.split(/\s+/)]));
  return { certain, possible: named.filter((path) => !isDataPath(path) && !isDocument(path)) };
}

/** A program may be named without its ending, or by its folder. */
const isMeant = (word: string, path: string): boolean => {
  const stem = path.replace(/\.\w+$/, '');
  const inside = ['index', '__main__'].map((name) => posix.join(word, name));
  return [path, stem].includes(word) || inside.includes(stem);
};

const inWorkspace = (word: string, folder: string, workspace: string): string => {
  const path = word.replaceAll('\\', '/');
  const root = `${workspace.replaceAll('\\', '/')}/`;
  return path.startsWith(root)
    ? posix.normalize(path.slice(root.length))
    : posix.join(folder, path).replace(/\/$/, '');
};

/** The words of a command that may be paths. */
const wordsOf = (cmd: string): readonly string[] =>
  cmd
    .split(/\s+/)
    .map((word) =>
      word
        .replace(/^["']|["']$/g, '')
        .replace(/^\.\//, '')
        .replace(/\/$/, ''),
    )
    .filter((word) => word !== '' && word !== '.');

/** True when the word names the file, or something in it, as a dotted Python module or as a path. */
const isModuleOf = (word: string, path: string): boolean => {
  const module = path.replace(/\.\w+$/, '').replaceAll('/', '.');
  const folder = module.slice(0, Math.max(0, module.lastIndexOf('.')));
  if (!isCode(path) || isCode(word)) return false;
  return `${word}.`.startsWith(`${module}.`) || word === folder;
};

const isAt = (word: string, path: string): boolean =>
  word === path || path.startsWith(`${word}/`) || isModuleOf(word, path);

/** True when the command names a file, folder or module that did not exist before the run. */
export function namesNew(cmd: string, { changed, disk }: RunWork): boolean {
  const made = madeIn({ changed });
  const existing = [
    ...disk.files.filter((path) => !made.includes(path)),
    ...changed.filter((file) => file.before !== null).map(({ path }) => path),
  ];
  return wordsOf(cmd).some(
    (word) => made.some((path) => isAt(word, path)) && !existing.some((path) => isAt(word, path)),
  );
}

/**
 * True when the files that the command runs still exist, by their names from the folder where it starts or
 * from one that it names. A proof that can no longer run was replaced for a good reason.
 */
export function canRun(
  { cmd, cwd = '' }: { readonly cmd: string; readonly cwd?: string },
  inWorkspace: readonly string[],
  isThere: (path: string) => boolean,
): boolean {
  const words = cmd.split(/\s+/).slice(1);
  const files = words.filter((word) => isCode(word) && !word.startsWith('-'));
  const folders = ['', ...words.map((word) => word.replace(/^-[^=]*=?/, ''))];
  const isHere = (file: string): boolean =>
    folders.some((folder) => isThere(posix.join(cwd, folder, file)));
  return files.every(isHere) && (!runsKnownTests(cmd) || inWorkspace.some(isTestPath));
}
