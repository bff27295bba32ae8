/** Pure: the tests that prove counts. */
import type { TestCounts } from '../language.ts';

/** A file of tests with failures, in the report; and the count of all files at the end. */
const FAILED = /^\S.*\(Wstat: .*\bTests: \d+ Failed: (\d+)\)$/m;
const ALL = /^Files=\d+, Tests=(\d+),/m;

/** The failed tests of each file are taken off the count at the end; `null`: this part counts none. */
export function proveCounts(part: string): TestCounts | null {
  const failed = FAILED.exec(part)?.[1];
  if (failed !== undefined) return { failed: Number(failed), passed: -Number(failed) };
  const all = ALL.exec(part)?.[1];
  return all === undefined ? null : { failed: 0, passed: Number(all) };
}
