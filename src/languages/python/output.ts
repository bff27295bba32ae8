/** What pytest and unittest print. Pure. */
import type { OutputReading } from '../language.ts';
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

export const output: OutputReading = {
  hint,
  failures,
  asksForInput,
  testsThatRan: (text) => {
    if (NO_TESTS.some((pattern) => pattern.test(text))) return 'none';
    const noPass = /(?<![\d.])0 passed\b/i.test(text);
    const allSkipped = /^=*\s*\d+ (?:skipped|deselected)(?:, \d+ \w+)* in [\d.]+s/m.test(text);
    return noPass || (allSkipped && !/\d+ passed/.test(text)) ? 'no_pass' : null;
  },
  failingTests: (summary) => {
    for (const pattern of COUNTS) {
      const counts = [...summary.matchAll(pattern)].map((match) => Number(match[1]));
      if (counts.length > 0) return Math.max(...counts);
    }
    return null;
  },
  noTestsExit: { code: 5, meaning: 'with pytest: no tests were found' },
  // unittest.
  failureLine: /^(?:FAIL|ERROR): \S/,
  tellingLine: /^(E\s|>\s|FAILED |ERROR |\s+File "|\w*(Error|Exception)\b|.*\.py:\d+)/,
};
