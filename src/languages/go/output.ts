/** Pure: reads the output of go and its test runner. */
import type { OutputReading } from '../language.ts';
import { failures } from './failures.ts';
import { namedTests } from './named-tests.ts';

/** One line per package. */
const WITHOUT_TESTS = /^(?:\?\s+\S+\s+\[no test files\]|ok\s+\S+\s.*\[no tests to run\])\r?$/gm;
const WITH_TESTS = /^(?:ok\s+\S+\s+(?!.*\[no tests to run\])|FAIL\s+\S+|--- (?:PASS|FAIL|SKIP): )/m;

export const output: OutputReading = {
  failures,
  namedTests,
  // At the end of its input a read fails quietly; what the program does then is its own decision.
  asksForInput: () => null,
  testsThatRan: (text) => {
    if (!WITH_TESTS.test(text)) return text.match(WITHOUT_TESTS) === null ? null : 'none';
    const isSkipped = /^--- SKIP: /m.test(text) && !/^--- (?:PASS|FAIL): /m.test(text);
    return isSkipped ? 'no_pass' : null;
  },
  failingTests: (summary) => {
    // Subtests are counted, too.
    const count = summary.match(/^--- FAIL: /gm)?.length ?? 0;
    return count > 0 ? count : null;
  },
  failureLine: /^(?:FAIL\b|panic: )/,
  testCounts: (summary) => {
    const failed = summary.match(/^--- FAIL: /gm)?.length ?? 0;
    return failed > 0 ? { failed, passed: null } : null;
  },
  informativeLine: /^(?:\s*--- FAIL: |\s*\S+\.go:\d+(?::\d+)?: \S)/,
};
