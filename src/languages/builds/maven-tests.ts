/** Pure: the tests that Maven counts. */
import type { TestCounts } from '../language.ts';

/** The sum of a module. The lines of single classes are left out: they say how long they took. */
const RESULT =
  /^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)\s*$/gm;

/** `null`: this part counts none. */
export function mavenCounts(part: string): TestCounts | null {
  const found = [...part.matchAll(RESULT)].map((one) => one.slice(1).map(Number));
  if (found.length === 0) return null;
  const counts = { failed: 0, passed: 0 };
  for (const [all = 0, failures = 0, errors = 0, skipped = 0] of found) {
    counts.failed += failures + errors;
    counts.passed += all - failures - errors - skipped;
  }
  return counts;
}

/** Where each sum ends. Below the last one Maven says how a failed build can be examined. */
export const mavenCountsEnds = (output: string): readonly number[] =>
  [...output.matchAll(RESULT)].map((one) => one.index + one[0].length);
