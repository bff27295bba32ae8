/** What the answer of a trial says of tests. Pure. */
import { redTests } from '../../languages/testing/named-tests.ts';
import { firstFailure, testCountsIn } from '../../languages/testing/test-output.ts';
import { listed, type TrialAnswer } from '../evidence.ts';

/** The first failure in an output, else the names of the failed tests; '' if it shows neither. */
export const failedTestsText = (output: string): string =>
  firstFailure(output) || listed(redTests(output).map(({ name, file }) => name || file));

/** Names of the tests that failed; `null` when the output does not name every one. */
export function allFailed({
  failed = [],
  output,
}: Extract<TrialAnswer, { kind: 'ran' }>): readonly string[] | null {
  const count = testCountsIn(output)?.failed ?? failed.length;
  return failed.length > 0 && failed.length === count ? failed : null;
}

/** True when a run of tests came to its end, and none of them passed or failed. */
export const ranNone = (answer: TrialAnswer): boolean =>
  answer.kind === 'none' && answer.hasNoTests === true;

/** True when what the proof needs could not be made. */
export const isUnmade = (answer: TrialAnswer): boolean =>
  answer.kind === 'none' && answer.isUnmade === true;
