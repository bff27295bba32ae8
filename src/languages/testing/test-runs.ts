/** Pure: how tests are run, in whatever language. */
import { isInterpreter } from '../commands/allowed-commands.ts';
import type { Installed, Language, TestRun } from '../language.ts';
import { LANGUAGES, languageOf } from '../languages.ts';
import { testCommandIn, testCommandOf } from './test-programs.ts';

export const runsTests = (cmd: string): boolean => testCommandIn(cmd) !== null;

/** The same for the words of one command. */
export const wordsRunTests = (words: readonly string[]): boolean => testCommandOf(words) !== null;

/** True if a language here knows which files those tests are. */
export const runsKnownTests = (cmd: string): boolean => testCommandIn(cmd)?.language != null;

/** True for a command that prints the result of its tests, unless it runs none. */
export const namesItsTests = (cmd: string): boolean =>
  testCommandIn(cmd)?.program?.namesTests === true;

/** How a command that runs tests names their folder, for example; `null`: nobody knows. */
export function testsOfFolder(cmd: string, folder: string): string | null {
  const { head = [], program } = testCommandIn(cmd) ?? {};
  const args = program?.folder?.replace('{}', () => folder);
  return args === undefined ? null : [...head, args].join(' ');
}

/** The same run without options that keep it from printing the result of its tests. */
export function printingTests(cmd: string): string {
  const { head = [], program, args = [] } = testCommandIn(cmd) ?? {};
  const quiet = program?.quiet?.split(' ') ?? [];
  // Of a longer line nobody knows where these words stand.
  const isWhole = [...head, ...args].join(' ') === cmd.trim();
  return isWhole ? [...head, ...args.filter((arg) => !quiet.includes(arg))].join(' ') : cmd;
}

/** The same run with all tests of the project instead of those that it picks; `null`: nobody knows how. */
export function allTestsOf(cmd: string): string | null {
  const { head = [], program, args = [] } = testCommandIn(cmd) ?? {};
  const { all, takes = '' } = program ?? {};
  if (all === undefined) return null;
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  const optionAt = (at: number): string => {
    const before = own[at - 1] ?? '';
    return takes.split(' ').includes(before) ? before : (own[at] ?? '').replace(OPTION, '$1');
  };
  const kept = own.filter((_, at) => all.keeps.split(' ').includes(optionAt(at)));
  const isFirst = (arg: string): boolean => arg.startsWith('+');
  const words = [
    ...head,
    ...kept.filter(isFirst),
    all.words,
    ...kept.filter((arg) => !isFirst(arg)),
  ];
  return words.some((word) => /[\s"']/.test(word) && word !== all.words) ? null : words.join(' ');
}

/** An option without the value that is joined to it. */
const OPTION = /^(\+|--?\w[^=]*).*$/s;

/** The files that a command may run: the program itself, or the file that an interpreter gets. */
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
