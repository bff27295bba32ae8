/** Pure: reads the output of node, of its test runner and of npm's test runners. */
import type { CommandSeen } from '../commands/command-seen.ts';
import type { OutputReading, TestCounts } from '../language.ts';
import { failures } from './failures.ts';
import { namedTests } from './named-tests.ts';

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
  if (!failed?.length && !passed?.length) return null;
  const most = (found: readonly number[] = []) => Math.max(0, ...found);
  return { failed: most(failed) + most(cancelled), passed: most(passed) };
}

const counts = (text: string): TestCounts | null => byFiles(text) ?? byLines(text);

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
  testsThatRan: (text) => {
    if (NO_TESTS.some((pattern) => pattern.test(text))) return 'none';
    return /^(?:#|ℹ) pass 0\s*$/m.test(text) ? 'no_pass' : null;
  },
  failingTests: (summary) => counts(summary)?.failed ?? null,
  testCounts: counts,
  skippedTests,
  shortReason: (why) => why.replace(/^Expected values to be strictly (?:deep-)?equal: /, ''),
  informativeLine: /^(?:\w*(?:Error|Exception)\b|.*\.m?js:\d+)/,
  // TAP, jest and vitest, tsc.
  failureLine: /^\s*(?:not ok \d|[✖✗×●❯] \S|FAIL\b|\S+\.[cm]?[jt]sx?[:(]\d+)/,
  // eslint, prettier, tsc and biome.
  countLine:
    /^(?:✖ \d+ problems?\b|\s*\d+ errors? and \d+ warnings? potentially fixable\b|\[warn\] Code style issues? found in |Found \d+ (?:error|warning)s?\b|Checked \d+ files? in )/,
};
