/** Pure: how tests are run, in whatever language. */
import { isInterpreter } from '../commands/allowed-commands.ts';
import type { Installed, Language, TestRun } from '../language.ts';
import { LANGUAGES, languageOf } from '../languages.ts';

export const runsTests = (cmd: string): boolean =>
  LANGUAGES.some(({ runs }) => runs?.runsTests(cmd));

/** True for a command that runs exactly this file, by an interpreter or as a program itself. */
export function runsFile(cmd: string, path: string): boolean {
  const [program = '', ...args] = cmd.trim().split(/\s+/);
  const isItself = program.replace(/^\.\//, '') === path;
  return isItself || (isInterpreter(program) && args.find((arg) => !arg.startsWith('-')) === path);
}

export const isTestOf = (language: Language, path: string): boolean =>
  languageOf(path) === language && language.isTest(path);

/** The run of the first tests among the files that anything here can run. */
export function testRunOf(
  files: readonly string[],
  installed: Installed,
  languages: readonly Language[] = LANGUAGES,
): TestRun | null {
  for (const language of languages) {
    const tests = files.filter((file) => isTestOf(language, file));
    const run = tests.length > 0 ? language.runs?.testRun(tests, installed) : null;
    if (run) return run;
  }
  return null;
}

/** The language of the test runner that a command needs and that is not installed. */
export const languageWithoutRunner = (cmd: string, installed: Installed): Language | undefined =>
  LANGUAGES.find(({ runs }) => runs?.lacksRunner(cmd, installed));
