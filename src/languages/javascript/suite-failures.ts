/** Pure: the tests that jest, vitest and mocha report as failed. */
import { onOneLine } from '../../lib/text/one-line.ts';
import type { TestFailure } from '../language.ts';

/** ` FAIL  src/a.test.ts > adds > twice`, each with its error below it; several may have the same. */
const VITEST =
  /^ FAIL {2}(?:\|[^|\n]+\| )?(\S+\.[cm]?[jt]sx?)(?: \[ .* \]| > (.*))?\n(?=(?: FAIL {2}.*\n)*(.*)$)/gm;
/** `FAIL src/a.test.ts`, or a test in it with what is wrong. Below the summary the failures are repeated. */
const JEST =
  /^FAIL (?:\S+ )??(\S+\.[cm]?[jt]sx?)|^ {2}● (.+)\n\n([\s\S]*?)(?=^ {2}● |^(?:PASS|FAIL|Test Suites:) |(?![\s\S]))/gm;
const SUMMARY = /^Summary of all failing tests$/m;
const NOT_LOADED = 'Test suite failed to run';

/**
 * After its counts, mocha numbers the failures: the suites' names and the test, one below the other, then
 * what is wrong.
 */
const MOCHA_COUNTS = /^ {2}\d+ passing \(\w+\)\n(?: {2}\d+ (?:pending|failing)\n)*/gm;
const MOCHA = /^ {2}\d+\) (\S.*(?:\n {5,}\S.*)*?):\n([\s\S]*?)(?=^ {2}\d+\) \S|(?![\s\S]))/gm;
const PLACE = /^ +at .{0,300}?([^\\/(\s]{1,100}\.[cm]?[jt]sx?):\d+:\d+\)?$/m;
const MESSAGE_END = /^ +(?:\+ expected - actual$|at \S)/m;

const VALUES = /^ *Expected: (.*)\n *Received: (.*)$/m;
const DIFFERENCE = /^ {4}-( {2,}.*)\n(?: {4}-.*\n)* {4}\+( {2,}.*)$/m;

export function suiteFailures(output: string): readonly TestFailure[] {
  const ofVitest = [...output.matchAll(VITEST)].map(([, file = '', test = '', why = '']) => ({
    file,
    test,
    why: onOneLine(why),
  }));
  if (ofVitest.length > 0) return ofVitest;
  const ofOther = ofJest(output.split(SUMMARY)[0] ?? '');
  return ofOther.length > 0 ? ofOther : ofMocha(output);
}

/** Where the counts of its last run end; `null`: there are none. */
export function mochaCountsEnd(output: string): number | null {
  const last = [...output.matchAll(MOCHA_COUNTS)].at(-1);
  return last === undefined ? null : last.index + last[0].length;
}

function ofMocha(output: string): readonly TestFailure[] {
  const end = mochaCountsEnd(output);
  if (end === null) return [];
  return [...output.slice(end).matchAll(MOCHA)].map(([, names = '', body = '']) => {
    const test = names.split('\n').map((name) => name.trim());
    return { file: PLACE.exec(body)?.[1] ?? '', test: test.join(' '), why: mochaWhy(body) };
  });
}

const mochaWhy = (body: string): string =>
  onOneLine(
    (body.split(MESSAGE_END)[0] ?? '').trim().replace(/^AssertionError(?: \[\w+\])?: /, ''),
  );

function ofJest(output: string): readonly TestFailure[] {
  let file = '';
  return [...output.matchAll(JEST)].flatMap(([, begun, test, body = '']) => {
    file = begun ?? file;
    if (test === undefined || file === '') return [];
    return [{ file, test: test === NOT_LOADED ? '' : test, why: onOneLine(whyIn(body)) }];
  });
}

/** Two values tell more than the call that compared them. */
function whyIn(body: string): string {
  const [, expected, received] = VALUES.exec(body) ?? [];
  if (expected !== undefined) return `is ${received}, not ${expected}`;
  const [, minus = '', plus = ''] = DIFFERENCE.exec(body) ?? [];
  const [is, wanted] = [plus, minus].map((line) => line.trim().replace(/,$/, ''));
  if (minus !== '') return `is ${is}, not ${wanted}`;
  return (
    body
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  );
}
