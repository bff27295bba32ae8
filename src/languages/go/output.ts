/** Pure: reads the output of go and its test runner. */
import type { NamedTest, OutputReading, TestCounts, TestFailure } from '../language.ts';

/**
 * Output of a test may stand before this on the same line. The line of a package comes after those of its
 * tests.
 */
const LINE = /=== RUN +(\S+)$|--- (PASS|FAIL|SKIP): (\S+) \(|^(ok {2}|FAIL)\t(\S+)(.*)$|(PASS)$/gm;
const RESULTS = { PASS: 'passed', FAIL: 'failed', SKIP: 'left_out' } as const;

function namedTests(output: string): readonly NamedTest[] {
  const found: NamedTest[] = [];
  let results = new Map<string, NamedTest['result']>();
  let hasEnded = false;
  for (const [, begun, word, name, end, file = '', rest = '', all] of output.matchAll(LINE)) {
    if (all !== undefined) hasEnded = true;
    if (begun !== undefined) results.set(begun, 'cut_off');
    if (name !== undefined) results.set(name, RESULTS[word as keyof typeof RESULTS]);
    if (end === undefined) continue;
    found.push(...[...results].map(([test, result]) => ({ name: test, file, result })));
    const result = end === 'FAIL' ? 'failed' : 'unnamed';
    if (results.size === 0 && !rest.includes('[no test')) found.push({ name: '', file, result });
    // A test program that reaches its end says so, whatever a test printed before.
    if (results.size > 0 && end !== 'FAIL' && !hasEnded)
      found.push({ name: '', file, result: 'cut_off' });
    results = new Map();
    hasEnded = false;
  }
  return found;
}

const FAILED = /^--- FAIL: (\S+) .*\n((?:[ \t]+.*\n?)*)/gm;
const WHY = /^\s+(\S+\.go):\d+: (.*)$/m;
/** testify, whose table begins on the next line. */
const TESTIFY = /^\s+Error:\s+(\S.*)$/m;
/** A compile error comes without any test. */
const NOT_BUILT = /^(?:\.[\\/])?(\S+\.go):\d+:\d+: (.*)$/gm;

function failures(output: string): readonly TestFailure[] {
  const tests = [...output.matchAll(FAILED)].map(([, test = '', body = '']) => {
    const [, file = '', said = ''] = WHY.exec(body) ?? [];
    const why = said.trim() || (TESTIFY.exec(body)?.[1] ?? '');
    return { file, test, why };
  });
  if (tests.length > 0) return tests;
  return [...output.matchAll(NOT_BUILT)].map(([, file = '', why = '']) => ({
    file,
    test: '',
    why,
  }));
}

/** One line per package. */
const WITHOUT_TESTS = /^(?:\?\s+\S+\s+\[no test files\]|ok\s+\S+\s.*\[no tests to run\])\r?$/gm;
const WITH_TESTS = /^(?:ok\s+\S+\s+(?!.*\[no tests to run\])|FAIL\s+\S+|--- (?:PASS|FAIL|SKIP): )/m;

/** The packages whose tests passed. */
const PASSED = /^ok {2}\t(\S+)\t(?!.*\[no tests to run\])/gm;

/** Subtests are counted, too. */
function failed(text: string): TestCounts | null {
  const count = text.match(/^--- FAIL: /gm)?.length ?? 0;
  return count > 0 ? { failed: count, passed: null } : null;
}

export const output: OutputReading = {
  // Which number a crash names depends on chance.
  plain: (text) => text.replaceAll(/\bgoroutine \d+/g, 'goroutine'),
  failures,
  namedTests,
  // At the end of its input a read fails quietly; what the program does then is its own decision.
  asksForInput: () => null,
  testsThatRan: (text) => {
    if (!WITH_TESTS.test(text)) return text.match(WITHOUT_TESTS) === null ? null : 'none';
    const isSkipped = /^--- SKIP: /m.test(text) && !/^--- (?:PASS|FAIL): /m.test(text);
    return isSkipped ? 'no_pass' : null;
  },
  failureLine: /^(?:FAIL\b|panic: )/,
  testCounts: failed,
  partCounts: failed,
  passedParts: (text) => [...text.matchAll(PASSED)].map(([, name = '']) => name),
  informativeLine: /^(?:\s*--- FAIL: |\s*\S+\.go:\d+(?::\d+)?: \S)/,
};
