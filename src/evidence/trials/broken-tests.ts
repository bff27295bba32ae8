/** Runs existing tests that the proof does not run. Pure except for the trials it requests. */
import { testCountsIn } from '../../languages/testing/test-output.ts';
import {
  type AskTrial,
  colonAndNames,
  type Evidence,
  type TrialAnswer,
  unproved,
  type Verdict,
} from '../evidence.ts';
import { allFailed } from './test-answers.ts';

type Ran = Extract<TrialAnswer, { kind: 'ran' }>;

/** A program that passes shows only what it was written for. The existing tests must pass as before. */
export async function brokenTests(
  { hasGivenTests, hasChangedOldCode }: Evidence,
  ask: AskTrial,
): Promise<Verdict | null> {
  if (!hasGivenTests || !hasChangedOldCode) return null;
  const now = await ask({ what: 'given_tests', code: 'new' });
  if (now.kind !== 'ran' || now.passed) return null;
  const before = await ask({ what: 'given_tests', code: 'old' });
  const wasRed = before.kind === 'ran' && !before.passed;
  if (wasRed && isAsBefore(now, before)) return null;
  const { failed = [] } = now;
  const names = wasRed ? failed.filter((name) => !before.failed?.includes(name)) : failed;
  return unproved(
    `tests that were there fail with the new code${colonAndNames(names)}`,
    'earlier_tests_fail',
  );
}

/** Compares the names of the failed tests; if some are not printed, their number or the whole output. */
function isAsBefore(now: Ran, before: Ran): boolean {
  const names = allFailed(now);
  if (names !== null) return names.every((name) => before.failed?.includes(name));
  const [count, earlier] = [now, before].map(({ output }) => testCountsIn(output)?.failed);
  return (
    now.word === before.word ||
    (count !== undefined && earlier !== undefined && count > 0 && count <= earlier)
  );
}
