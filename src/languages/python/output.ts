/** What pytest and unittest print. Pure. */
import type { OutputReading, TestCounts } from '../language.ts';
import { failures } from './failures.ts';
import { asksForInput, hint } from './hints.ts';

const NO_TESTS: readonly RegExp[] = [
  /\bno tests ran\b/i,
  /^collected 0 items\s*$/im,
  /^ran 0 tests in\b/im,
];

const COUNTS: readonly RegExp[] = [
  // pytest; jest and vitest count so as well, below their own summary.
  /(?<![\d.])(\d+) (?:failed|errors?)\b/gi,
  // unittest.
  /\b(?:failures|errors)=(\d+)/g,
];

/** The last line that counts: pytest's own; jest and vitest count files above it. */
const COUNTING = /(?<![\d.])(\d+) (failed|errors?|passed)\b/gi;

function lastCounts(summary: string): TestCounts | null {
  const found = summary
    .split('\n')
    .map((line) => [...line.matchAll(COUNTING)])
    .findLast((matches) => matches.length > 0);
  if (found === undefined) return null;
  const sum = (isOf: (word: string) => boolean) =>
    found
      .filter(([, , word = '']) => isOf(word.toLowerCase()))
      .reduce((total, [, count]) => total + Number(count), 0);
  return { failed: sum((word) => word !== 'passed'), passed: sum((word) => word === 'passed') };
}

function unittestCounts(summary: string): TestCounts | null {
  const ran = /^Ran (\d+) tests? in\b/m.exec(summary)?.[1];
  if (ran === undefined) return null;
  const sum = (pattern: RegExp) =>
    [...summary.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0);
  const failed = sum(/\b(?:failures|errors|unexpected successes)=(\d+)/g);
  const others = sum(/\b(?:skipped|expected failures)=(\d+)/g);
  return { failed, passed: Math.max(0, Number(ran) - failed - others) };
}

function mostOf(summary: string): number | null {
  for (const pattern of COUNTS) {
    const counts = [...summary.matchAll(pattern)].map((match) => Number(match[1]));
    if (counts.length > 0) return Math.max(...counts);
  }
  return null;
}

export const output: OutputReading = {
  hint,
  failures,
  missingFile: (text) => {
    const name = /No module named ([\w.]+)\.__main__;/.exec(text)?.[1];
    return name === undefined ? null : `${name.replaceAll('.', '/')}/__main__.py`;
  },
  asksForInput,
  testsThatRan: (text) => {
    if (NO_TESTS.some((pattern) => pattern.test(text))) return 'none';
    const noPass = /(?<![\d.])0 passed\b/i.test(text);
    const allSkipped = /^=*\s*\d+ (?:skipped|deselected)(?:, \d+ \w+)* in [\d.]+s/m.test(text);
    return noPass || (allSkipped && !/\d+ passed/.test(text)) ? 'no_pass' : null;
  },
  failingTests: mostOf,
  testCounts: (summary) => unittestCounts(summary) ?? lastCounts(summary),
  shortReason: (why) =>
    why.replace(/^(?:AssertionError: )?assert /, '').replace(/^AssertionError: /, ''),
  noTestsExit: { code: 5, meaning: 'with pytest: no tests were found' },
  // unittest.
  failureLine: /^(?:FAIL|ERROR): \S/,
  tellingLine: /^(E\s|>\s|FAILED |ERROR |\s+File "|\w*(Error|Exception)\b|.*\.py:\d+)/,
};
