/** Pure: the tests that jest and vitest report as failed. */
import { onOneLine } from '../../lib/text/one-line.ts';
import type { TestFailure } from '../language.ts';

/** ` FAIL  src/a.test.ts > adds > twice`, each with its error below it; several may have the same. */
const VITEST =
  /^ FAIL {2}(?:\|[^|\n]+\| )?(\S+\.[cm]?[jt]sx?)(?: \[ .* \]| > (.*))?\n(?=(?: FAIL {2}.*\n)*(.*)$)/gm;
/** `FAIL src/a.test.ts`, or a test in it with what is wrong. Behind the summary the failures stand a second time. */
const JEST =
  /^FAIL (?:\S+ )??(\S+\.[cm]?[jt]sx?)|^ {2}● (.+)\n\n([\s\S]*?)(?=^ {2}● |^(?:PASS|FAIL|Test Suites:) |(?![\s\S]))/gm;
const SUMMARY = /^Summary of all failing tests$/m;
const NOT_LOADED = 'Test suite failed to run';

const VALUES = /^ *Expected: (.*)\n *Received: (.*)$/m;
const DIFFERENCE = /^ {4}-( {2,}.*)\n(?: {4}-.*\n)* {4}\+( {2,}.*)$/m;

export function suiteFailures(output: string): readonly TestFailure[] {
  const ofVitest = [...output.matchAll(VITEST)].map(([, file = '', test = '', why = '']) => ({
    ...{ file, test, why: onOneLine(why) },
  }));
  return ofVitest.length > 0 ? ofVitest : ofJest(output.split(SUMMARY)[0] ?? '');
}

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
