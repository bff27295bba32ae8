/** Pure: reads the output of pytest and unittest. */
import type { CommandSeen } from '../commands/command-seen.ts';
import type { OutputReading, TestCounts, TestFailure } from '../language.ts';
import { namedTests } from './named-tests.ts';

/**
 * pytest's summary, which shortens long reasons and omits those of files that it cannot load; unittest ends
 * with counts.
 */
const SUMMARY = /^(?:FAILED|ERROR) (?!\()(\S+?)(?:::(\S.*?))?(?: - (.*))?$/gm;
/**
 * The sections above the summary, with whole reasons: of a test by its name, of a file as `ERROR collecting
 * FILE`.
 */
const SECTION = /^_+ (\S.*?) _+$([\s\S]*?)(?=^_{3,} |^={3,} |(?![\s\S]))/gm;
const REASON = /^E +(\S.*)$/m;
/** The heading of what follows, where settings leave the summary out. */
const HEADING = /^={3,} (?:FAILURES|ERRORS) ={3,}$/m;
/** The first line of a section that names a place is in the test. */
const PLACE = /^(\S+\.py):\d+:/m;
/** unittest: a head, a line, a traceback whose last line says what is wrong. */
const BLOCK = /^(?:FAIL|ERROR): (\S+) \((\S+)\)\n-{3,}\n([\s\S]*?)(?=^={3,}$|^-{3,}$|(?![\s\S]))/gm;
const OWN_FRAME = /File "(?:[^"\n]*[\\/])?([^"\\/\n]+)", line (\d+), in (?!_|import)/g;

function failures(output: string): readonly TestFailure[] {
  const sections = [...output.matchAll(SECTION)].map(([, name = '', body = '']) => ({
    name,
    file: PLACE.exec(body)?.[1] ?? '',
    why: REASON.exec(body)?.[1] ?? '',
  }));
  const reasons = new Map(sections.map(({ name, why }) => [name, why]));
  const summary = [...output.matchAll(SUMMARY)].map(({ 1: file = '', 2: said = '', 3: short }) => {
    const test = said.replaceAll('::', '.');
    const isWhole = short !== undefined && !short.endsWith('...');
    const whole = reasons.get(test === '' ? `ERROR collecting ${file}` : test);
    return { file, test, why: isWhole ? short : whole || short || '' };
  });
  if (summary.length > 0) return summary;
  return HEADING.test(output)
    ? sections.map(inSection)
    : [...output.matchAll(BLOCK)].map(failureOf);
}

function inSection({ name, ...place }: Omit<TestFailure, 'test'> & { readonly name: string }) {
  const [, unread] = /^ERROR collecting (\S+)$/.exec(name) ?? [];
  if (unread !== undefined) return { ...place, file: unread, test: '' };
  return { ...place, test: name.replace(/^ERROR at (?:setup|teardown) of /, '') };
}

function failureOf([, test = '', place = '', body = '']: RegExpMatchArray): TestFailure {
  const frame = [...body.matchAll(OWN_FRAME)].at(-1)?.[1];
  const why =
    body
      .trimEnd()
      .split('\n')
      .findLast((line) => /^\S/.test(line)) ?? '';
  return { file: frame ?? place.split('.')[0] ?? '', test, why };
}

const NO_TESTS: readonly RegExp[] = [
  /\bno tests ran\b/i,
  /^collected 0 items\s*$/im,
  /^ran 0 tests in\b/im,
];

/** The counts that many runners print. */
const COUNTING = /(?<![\d.])(\d+) (failed|passed)\b/gi;
/** pytest's own line: a checker's errors have another form. */
const OF_PYTEST = /^=*\s*(?:\d+ \w+, )*\d+ \w+ in [\d.]+s/;
const COUNTING_ERRORS = /(?<![\d.])(\d+) (failed|errors?|passed)\b/gi;

const countsIn = (line: string) => [
  ...line.matchAll(OF_PYTEST.test(line) ? COUNTING_ERRORS : COUNTING),
];

function lastCounts(summary: string): TestCounts | null {
  const found = summary
    .split('\n')
    .map(countsIn)
    .findLast((matches) => matches.length > 0);
  if (found === undefined) return null;
  const sum = (isOf: (word: string) => boolean) =>
    found
      .filter(([, , word = '']) => isOf(word.toLowerCase()))
      .reduce((total, [, count]) => total + Number(count), 0);
  return { failed: sum((word) => word !== 'passed'), passed: sum((word) => word === 'passed') };
}

const sumOf = (text: string, pattern: RegExp): number =>
  [...text.matchAll(pattern)].reduce((total, [, one, other]) => total + Number(one ?? other), 0);

function unittestCounts(summary: string): TestCounts | null {
  const ran = /^Ran (\d+) tests? in\b/m.exec(summary)?.[1];
  if (ran === undefined) return null;
  const failed = sumOf(summary, /\b(?:failures|errors|unexpected successes)=(\d+)/g);
  const others = sumOf(summary, /\b(?:skipped|expected failures)=(\d+)/g);
  return { failed, passed: Math.max(0, Number(ran) - failed - others) };
}

const TRACEBACK = 'Traceback (most recent call last):';
const AT_END_OF_FILE = /^(?=\w*EOF)\w+(?::.*)?$(?:\r?\n)?/m;

function withoutTraceback(text: string): string {
  const from = text.indexOf(TRACEBACK);
  if (from < 0) return text;
  const rest = text.slice(from);
  const last = AT_END_OF_FILE.exec(rest);
  return last === null ? text : text.slice(0, from) + rest.slice(last.index + last[0].length);
}

/**
 * Python reports this itself. stdout and stderr are two pipes, so the program's output may precede or follow the
 * traceback.
 */
const asksForInput = ({ output }: CommandSeen): string | null =>
  /^EOFError\b|\bEOF when reading a line\b/m.test(output) ? withoutTraceback(output) : null;

export const output: OutputReading = {
  failures,
  namedTests,
  missingFile: (text) => {
    const name = /No module named ([\w.]+)\.__main__;/.exec(text)?.[1];
    return name === undefined ? null : `${name.replaceAll('.', '/')}/__main__.py`;
  },
  asksForInput,
  testsThatRan: (text) => {
    if (NO_TESTS.some((pattern) => pattern.test(text))) return 'none';
    const noPass = /(?<![\d.])0 passed\b/i.test(text);
    const allSkipped = /^=*[ \t]*\d+ (?:skipped|deselected)(?:, \d+ \w+)* in [\d.]+s/m.test(text);
    return noPass || (allSkipped && !/\d+ passed/.test(text)) ? 'no_pass' : null;
  },
  skippedTests: (line) =>
    sumOf(line, /\b(\d+) (?:skipped|xfailed)\b|\b(?:skipped|expected failures)=(\d+)/g),
  testCounts: (summary) => unittestCounts(summary) ?? lastCounts(summary),
  partCounts: (part) => unittestCounts(part) ?? (OF_PYTEST.test(part) ? lastCounts(part) : null),
  // unittest prints the number of tests first, and how many of them passed after it.
  countGoesOn: /(?:\r?\n)?(?:OK|FAILED) \(/,
  shortReason: (why) =>
    why.replace(/^(?:AssertionError: )?assert /, '').replace(/^AssertionError: /, ''),
  noTestsExit: { code: 5, meaning: 'with pytest: no tests were found' },
  // unittest.
  failureLine: /^(?:FAIL|ERROR): \S/,
  // ruff and mypy, black, pyright.
  countLine:
    /^(?:Found \d+ errors?\b|\[\*\] \d+ fixable with |\d+ files? would be (?:reformatted|left)|\d+ errors?, \d+ warnings?\b)/,
  informativeLine: /^(E\s|> {2,}\S|FAILED |ERROR |\s+File "|\w*(Error|Exception)\b|.*\.py:\d+)/,
};
