/**
 * Tests that were red may pass because nothing compares any more: a helper that stands outside the tests, a macro or a
 * header can make their assertions do nothing. So one that was red must fail once it expects something else.
 * Pure except for the trials it requests.
 */
import { alterationText } from '../alterable.ts';
import {
  type Answer,
  type Ask,
  type Evidence,
  listed,
  unproved,
  type Verdict,
} from '../evidence.ts';

/** @param was how the proof ended with the files as they were */
export async function blindTests(
  { proof, expectedIn }: Evidence,
  was: Answer,
  ask: Ask,
): Promise<Verdict | null> {
  const missed: string[] = [];
  for (const change of was.kind === 'ran' ? expectedIn(was.output) : []) {
    const answer = await ask({ what: 'altered', change });
    if (answer.kind !== 'ran') break;
    if (!answer.passed) return null;
    missed.push(alterationText(change));
  }
  return missed.length === 0
    ? null
    : unproved(`${proof.cmd} passes, but its tests do so even ${listed(missed)}`);
}
