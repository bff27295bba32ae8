/** Pure: reads the output of node, of its test runner and of npm's test runners. */

import { onOneLine } from '../../lib/text/one-line.ts';
import type { CommandSeen } from '../commands/command-seen.ts';
import type { OutputReading, TestCounts, TestFailure } from '../language.ts';
import { namedTests } from './named-tests.ts';
import { byPackage } from './several-packages.ts';
import { mochaCountsEnd, suiteFailures } from './suite-failures.ts';

/** TAP: a head, then its details, indented like the test; without an end they stop at the next test. */
const TAP = /^( *)not ok \d+ - (.*)\n\1 {2}---\n([\s\S]*?)^\1(?: {2}\.{3}$|(?=not ok ))/gm;
/** A test that failed only because a subtest did. */
const BY_INNER = /failureType: '(?:subtestsFailed|parentAlreadyFinished)'/;
const LOCATION = /location: '(?:[^'\n]*[\\/])?([^'\\/\n]+?):\d+:\d+'/;
/** `error: 'x is not a function'`, or a block of lines below `error: |-`. */
const ERROR = /error: (?:'(.*)'|"(.*)"|\|-\n([\s\S]*?)(?=^ *\w+: ))/m;
/** Two values side by side are easier to compare than marks before their lines. */
const DEEP_EQUAL = /^ *operator: '(?:deepEqual|deepStrictEqual)'$/m;
const WANTED = /^ *expected:([\s\S]*?)(?=^ *actual:)/m;
const GIVEN = /^ *actual:([\s\S]*?)(?=^ *operator:)/m;
/** The spec reporter's list at the end. */
const SPEC =
  /^test at (?:[^\n]*[\\/])?([^\\/\n]+?):\d+:\d+\n✖ (.*?) \([\d.]+ms\)\n([\s\S]*?)(?=\n[ \t]+at |^test at |(?![\s\S]))/gm;

/** A file that could not be loaded: only its own output says why. */
const NOT_LOADED = /^'?test failed'?$/;
/** The head of an error, which names where it was thrown, or its message. */
const THROWN =
  /^(?:# )?(?:(?:\S*[\\/])?([^\\/\s]{1,255}\.[cm]?[jt]sx?):\d+|(?:Uncaught )?(\w{0,80}Error(?: \[\w+\])?: .*))$/gm;

interface Thrown {
  readonly at: number;
  /** Where it was thrown; '' if unknown. */
  readonly file: string;
  readonly why: string;
}

function failures(output: string): readonly TestFailure[] {
  const thrown = thrownIn(output);
  const tap = [...output.matchAll(TAP)]
    .filter(([whole, , , body = '']) => whole.endsWith('...') && !BY_INNER.test(body))
    .map(({ 2: test = '', 3: body = '', index }) => {
      const [, short, quoted, long] = ERROR.exec(body) ?? [];
      const why = differenceIn(body) ?? short ?? quoted ?? long ?? '';
      const from = output.lastIndexOf('\n  ...', index);
      const own = thrown.filter(({ at }) => at > from && at < index);
      return failureOf(LOCATION.exec(body)?.[1] ?? '', test, why, own);
    });
  if (tap.length > 0) return tap;
  const spec = [...output.matchAll(SPEC)].map(([, file = '', test = '', why = '']) =>
    failureOf(file, test, why, thrown),
  );
  return spec.length > 0 ? spec : suiteFailures(output);
}

function thrownIn(output: string): readonly Thrown[] {
  let head = '';
  return [...output.matchAll(THROWN)].flatMap(({ 1: file, 2: why, index }) => {
    head = file ?? head;
    return why === undefined ? [] : [{ at: index, file: head, why }];
  });
}

/** @param thrown errors thrown while the file was loaded, or other files if nothing tells them apart */
const whyNotLoaded = (file: string, thrown: readonly Thrown[]): string | undefined =>
  (thrown.findLast((one) => one.file === file) ?? (thrown.length === 1 ? thrown[0] : undefined))
    ?.why;

function differenceIn(body: string): string | null {
  const [wanted, actual] = [WANTED, GIVEN].map((part) => part.exec(body)?.[1]);
  return DEEP_EQUAL.test(body) && wanted !== undefined && actual !== undefined
    ? `is ${actual.trim()}, not ${wanted.trim()}`
    : null;
}

/** A file that cannot be loaded counts as a test with the file's name. */
const failureOf = (
  file: string,
  test: string,
  why: string,
  thrown: readonly Thrown[],
): TestFailure => ({
  file,
  test: test.endsWith(file) ? '' : test,
  why: onOneLine((NOT_LOADED.test(why.trim()) && whyNotLoaded(file, thrown)) || why),
});

// `node --test` in both of its reporters; jest and vitest.
const NO_TESTS: readonly RegExp[] = [/^(?:#|ℹ) tests 0\s*$/m, /^no tests? found\b/im];
/** `node --test` and mocha. */
const FAILED = /^(?:#|ℹ) fail (\d+)$|^ *(\d+) failing$/gm;
/** Tests that never ended. */
const CANCELLED = /^(?:#|ℹ) cancelled (\d+)$/gm;
const PASSED = /^(?:#|ℹ) pass (\d+)$|^ *(\d+) passing\b/gm;
/** jest and vitest; their other counts (`Errors`, `Type Errors`) are not about tests. */
const FILES = /^ *Test (?:Files|Suites:) +(\S.*)$/gm;
const TESTS = /^ *Tests:? +(\S.*)$/gm;

/** A file that cannot be loaded fails, and none of its tests is counted. */
function byFiles(text: string): TestCounts | null {
  const last = (pattern: RegExp) => [...text.matchAll(pattern)].at(-1)?.[1];
  const [files, tests] = [last(FILES), last(TESTS)];
  if (files === undefined || tests === undefined) return null;
  const count = (line: string, word: string) =>
    Number(new RegExp(`(\\d+) ${word}\\b`).exec(line)?.[1] ?? 0);
  return {
    failed: count(tests, 'failed') || count(files, 'failed'),
    passed: count(tests, 'passed'),
  };
}

function byLines(text: string): TestCounts | null {
  const [failed, cancelled, passed] = [FAILED, CANCELLED, PASSED].map((pattern) =>
    [...text.matchAll(pattern)].map(([, first, second]) => Number(first ?? second)),
  );
  if (![failed, cancelled, passed].some((found) => found?.length)) return null;
  const most = (found: readonly number[] = []) => Math.max(0, ...found);
  return { failed: most(failed) + most(cancelled), passed: most(passed) };
}

const counts = (text: string): TestCounts | null => byFiles(text) ?? byLines(text);

/** The head of a coverage table by Istanbul, c8 or vitest. */
const COVERAGE = /^(?: *% Coverage report from .*\n)?-{3,}\|[-|]+\nFile +\|/m;

const countsEnd = (output: string): number | null =>
  mochaCountsEnd(output) ?? COVERAGE.exec(output)?.index ?? null;

const SKIPPED = /^(?:#|ℹ) (?:skipped|todo) (\d+)$|^ *(\d+) pending\b|^ *Tests:? .*/;
const skippedTests = (line: string): number =>
  [
    ...(SKIPPED.exec(line)?.[0] ?? '').matchAll(
      /(\d+) (?:skipped|todo|pending)\b|(?:skipped|todo) (\d+)$/g,
    ),
  ].reduce((total, [, first, second]) => total + Number(first ?? second), 0);

/** node simply exits after its question (code 13 with top-level await). */
function asksForInput({ program, exitCode, output }: CommandSeen): string | null {
  if (program !== 'node' || (exitCode !== 0 && exitCode !== 13)) return null;
  const isUnanswered = /[:?>]\s?$/.test(output) && !/\n$/.test(output);
  const isWaiting = exitCode === 13 && /unsettled top-level await/i.test(output);
  return isUnanswered || isWaiting
    ? output.replace(/^.*Warning: Detected unsettled top-level await[\s\S]*$/m, '')
    : null;
}

export const output: OutputReading = {
  failures,
  namedTests,
  // A path is code that has not been written yet; a bare name is a package.
  lacksPackage: (output) => /Cannot find (?:package|module) '(?!\.{0,2}\/|[A-Za-z]:)/.test(output),
  asksForInput,
  plain: byPackage,
  testsThatRan: (text) => {
    if (NO_TESTS.some((pattern) => pattern.test(text))) return 'none';
    return /^(?:#|ℹ) pass 0\s*$/m.test(text) ? 'no_pass' : null;
  },
  testCounts: counts,
  partCounts: counts,
  // jest and vitest count files first.
  countGoesOn: / *Tests:? /,
  skippedTests,
  countsEnd,
  shortReason: (why) => why.replace(/^Expected values to be strictly (?:deep-)?equal: /, ''),
  informativeLine: /^(?:\s*\w*(?:Error|Exception)\b|.*\.m?js:\d+)/,
  stackLine: /^\s*at \S.*:\d+:\d+\)?$/,
  // TAP, jest and vitest, tsc.
  failureLine: /^\s*(?:not ok \d|[✖✗×●❯] \S|FAIL\b|error TS\d|\S+\.[cm]?[jt]sx?[:(]\d+)/,
  // eslint, prettier, tsc and biome.
  countLine:
    /^(?:✖ \d+ problems?\b|\s*\d+ errors? and \d+ warnings? potentially fixable\b|\[warn\] Code style issues? found in |Found \d+ (?:error|warning)s?\b|Checked \d+ files? in )/,
};
