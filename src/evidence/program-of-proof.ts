/** Finds what a proof may run, as far as its words and the build files say it. Pure. */
import { behindBuilds, isInterpreter, onlyChecks } from '../languages/commands/allowed-commands.ts';
import type { BuildFiles, LineBehind } from '../languages/commands/command-rule.ts';
import { isLanguagesOwn } from '../languages/commands/only-tests.ts';
import { isDataPath, isDependency, isDocument, isTestPath } from '../languages/languages.ts';
import { filesRunBy, runsTests } from '../languages/testing/test-runs.ts';
import { readLine } from '../policy/command/lines.ts';
import { isReadOnlyProgram } from '../policy/command/read-only-programs.ts';
import type { Proof } from '../schema/plan.ts';
import type { ChangedFile } from './work.ts';

interface Changed extends BuildFiles {
  readonly changed: readonly ChangedFile[];
  /** As it was when the run opened. */
  readonly textBefore: (path: string) => string | null;
  readonly workspace: string;
  readonly platform: NodeJS.Platform;
}

/** Files that existed before the run and that it changed: by them alone a proof can be made to pass. */
export interface ChangedOfProof {
  /**
   * What the proof may run as a program. Of an unknown program, each code file that it names; one too many costs a
   * trial. Files that a test runner picks up by their names are not among them.
   */
  readonly programs: readonly string[];
  /** Build files that said before that it runs something else. */
  readonly settings: readonly string[];
  /** The command stands for lines of a build file, and stood for none before. */
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
  const runs = [cmd, ...now.all.map(({ text }) => text)]
    .flatMap((line) => commandsIn(line, platform))
    .flatMap((words) => runBy(words, paths, run));
  return {
    programs: paths.filter((path) => runs.includes(path)),
    settings: really
      .map(({ path }) => path)
      .filter((path) => !newFiles.includes(path) && saidBy(path, now) !== saidBy(path, before)),
    isNew,
  };
}

interface Lines {
  /** What the command itself stands for. */
  readonly named: readonly LineBehind[];
  /** With what these lines stand for. */
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

/** Which of these files one command runs. */
function runBy(
  words: readonly string[],
  paths: readonly string[],
  { readText, workspace }: Changed,
): readonly string[] {
  const [program = ''] = words;
  if (onlyChecks(words) || isReadOnlyProgram(program)) return [];
  const named = words
    .flatMap((word) => [word, ...word.split(/\s+/)])
    .map((word) => inWorkspace(word, workspace));
  const among = (texts: readonly string[]): readonly string[] =>
    paths.filter((path) => texts.some((text) => isMeant(text, path)));
  if (runsTests(words.join(' '))) return among(named);
  if (!isLanguagesOwn(program))
    return among(named).filter((path) => !isDataPath(path) && !isDocument(path));
  // What follows its program are arguments; a module that is not here has nothing else that it runs.
  const first = named.slice(1).find((word) => among([word]).length > 0 || readText(word) !== null);
  const given = isInterpreter(program) && !words.includes('-m') ? [first ?? ''] : [];
  return among([...filesRunBy(words), ...given]);
}

/** A program may be named without its ending, or by its folder. */
const isMeant = (word: string, path: string): boolean => {
  const stem = path.replace(/\.\w+$/, '');
  return [path, stem].includes(word) || [`${word}/index`, `${word}/__main__`].includes(stem);
};

const inWorkspace = (word: string, workspace: string): string => {
  const path = word.replaceAll('\\', '/');
  const root = `${workspace.replaceAll('\\', '/')}/`;
  return path.startsWith(root) ? path.slice(root.length) : path.replace(/^(?:\.\/)+/, '');
};
