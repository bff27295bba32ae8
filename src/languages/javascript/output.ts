/** What node, its test runner and those of npm print. Pure. */
import type { OutputReading } from '../language.ts';
import { failures } from './failures.ts';
import { asksForInput, hint } from './hints.ts';

// `node --test` in both of its reporters; jest and vitest.
const NO_TESTS: readonly RegExp[] = [/^(?:#|ℹ) tests 0\s*$/m, /^no tests? found\b/im];
const FAILED = /^(?:#|ℹ) fail (\d+)$/gm;
const PASSED = /^(?:#|ℹ) pass (\d+)$/gm;

export const output: OutputReading = {
  hint,
  failures,
  // A path is code that is still to be written; a bare name is a package.
  lacksPackage: (output) => /Cannot find (?:package|module) '(?!\.{0,2}\/|[A-Za-z]:)/.test(output),
  asksForInput,
  testsThatRan: (text) => {
    if (NO_TESTS.some((pattern) => pattern.test(text))) return 'none';
    return /^(?:#|ℹ) pass 0\s*$/m.test(text) ? 'no_pass' : null;
  },
  failingTests: (summary) => {
    const counts = [...summary.matchAll(FAILED)].map((match) => Number(match[1]));
    return counts.length > 0 ? Math.max(...counts) : null;
  },
  testCounts: (summary) => {
    const [failed, passed] = [FAILED, PASSED].map((pattern) =>
      [...summary.matchAll(pattern)].map((match) => Number(match[1])),
    );
    if (!failed?.length && !passed?.length) return null;
    return { failed: Math.max(0, ...(failed ?? [])), passed: Math.max(0, ...(passed ?? [])) };
  },
  shortReason: (why) => why.replace(/^Expected values to be strictly (?:deep-)?equal: /, ''),
  buriesFailures: true,
  tellingLine: /^(?:\w*(?:Error|Exception)\b|.*\.m?js:\d+)/,
  // TAP, jest and vitest, tsc.
  failureLine: /^\s*(?:not ok \d|[✖✗×●❯] \S|FAIL\b|\S+\.[cm]?[jt]sx?[:(]\d+)/,
};
