/**
 * A proof that replaced an earlier one: the earlier one must not fail. Pure except for the trials it
 * requests.
 */
import { testCountsIn } from '../../languages/testing/test-output.ts';
import { defined } from '../../lib/defined.ts';
import {
  type AskTrial,
  type CheckFailure,
  colonAndNames,
  type Evidence,
  type FirstProof,
  proofWords,
  unproved,
  type Verdict,
} from '../evidence.ts';

export async function swappedProof(
  { proof, earlierProofs }: Evidence,
  ask: AskTrial,
): Promise<Verdict | null> {
  for (const first of earlierProofs) {
    const how = first.asBefore
      ? failsAsBefore(first, first.asBefore)
      : await triedAgain(first, ask);
    if (how !== null)
      return unproved(
        `${proof.cmd} passes, but ${proofWords(first.proof)}, by which it was to be proved first, ${how}`,
      );
  }
  return null;
}

/** How the earlier proof fails; `null`: it passes, or its result is unknown. */
async function triedAgain(first: FirstProof, ask: AskTrial): Promise<string | null> {
  const answer = await ask({ what: 'first_proof', proof: first.proof });
  if (answer.kind !== 'ran' || answer.passed) return null;
  const { failed = [] } = answer;
  if (!answer.asBefore) return `still fails${colonAndNames(failed)}`;
  const passed = testCountsIn(answer.output)?.passed ?? undefined;
  return failsAsBefore(first, { failed, ...defined({ passed }) });
}

/** Any difference from the result before the first change is the run's doing. */
function failsAsBefore(
  { passedBefore: before }: FirstProof,
  { passed, failed }: CheckFailure,
): string {
  const counts = before === passed ? `${passed} passed` : `${before} passed before, ${passed} now`;
  const counted = before === undefined || passed === undefined ? '' : ` (${counts})`;
  return `fails as it did before this run${counted}${colonAndNames(failed)}`;
}
