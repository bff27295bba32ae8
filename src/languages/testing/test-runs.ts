/** Pure: how tests are run, in whatever language. */
import { cargoRunsTests } from '../builds/cargo-tests.ts';
import { isInterpreter } from '../commands/allowed-commands.ts';
import type { Installed, Language, TestRun } from '../language.ts';
import { LANGUAGES, languageOf } from '../languages.ts';

export const runsTests = (cmd: string): boolean =>
  LANGUAGES.some(({ runs }) => runs?.runsTests(cmd));

/** The same with runners that belong to no language here, and only count. */
export const countsTests = (cmd: string): boolean => runsTests(cmd) || cargoRunsTests(cmd);

/** How a command that runs tests names their folder, for example; `null`: nobody knows. */
export const testsOfFolder = (cmd: string, folder: string): string | null =>
  LANGUAGES.find(({ runs }) => runs?.runsTests(cmd))?.runs?.testsOfFolder?.(cmd, folder) ?? null;

/** The files that a command may run: the program itself, or what an interpreter is given. */
export function filesRunBy(words: readonly string[]): readonly string[] {
  const [program = '', ...args] = words;
  const ofLanguages = LANGUAGES.flatMap(({ runs }) => runs?.filesRunBy?.(words) ?? []);
  const given = isInterpreter(program)
    ? args.filter((arg) => !arg.startsWith('-')).slice(0, 1)
    : [];
  return [...new Set([program, ...given, ...ofLanguages].map(withoutDot))];
}

const withoutDot = (path: string): string => path.replace(/^\.\//, '');

const isTestOf = (language: Language, path: string): boolean =>
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
