/** Tests that were there, and that the proof does not run. Pure except for the trials it requests. */
import { type Ask, type Evidence, namesOf, unproved, type Verdict } from '../evidence.ts';

/** A program that passes shows what it was written for. What was there must work as well as before. */
export async function brokenTests(
  { hasGivenTests, hasChangedOldCode }: Evidence,
  ask: Ask,
): Promise<Verdict | null> {
  if (!hasGivenTests || !hasChangedOldCode) return null;
  const now = await ask({ what: 'given_tests', code: 'new' });
  if (now.kind !== 'ran' || now.passed) return null;
  const before = await ask({ what: 'given_tests', code: 'old' });
  const { failed = [] } = now;
  const wasRed = before.kind === 'ran' && !before.passed;
  if (wasRed && failed.every((name) => before.failed?.includes(name))) return null;
  const names = wasRed ? failed.filter((name) => !before.failed?.includes(name)) : failed;
  return unproved(
    `tests that were there fail with the new code${namesOf(names)}`,
    'earlier_tests_fail',
  );
}
