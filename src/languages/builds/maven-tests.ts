/** Pure: the tests that Maven counts. */
import type { TestCounts } from '../language.ts';

/** The sum of a module; the lines of its classes say how long they took. */
const RESULT = /^\[\w+\] Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)\s*$/m;

/** `null`: this part counts none. */
export function mavenCounts(part: string): TestCounts | null {
  const found = RESULT.exec(part);
  if (found === null) return null;
  const [all = 0, failures = 0, errors = 0, skipped = 0] = found.slice(1).map(Number);
  return { failed: failures + errors, passed: all - failures - errors - skipped };
}
