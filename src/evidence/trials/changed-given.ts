/** Looks whether the run changed what the person's own proof runs. Pure except for the trial it requests. */
import { type Ask, type Evidence, listed, unproved, type Verdict } from '../evidence.ts';

/** A check that the run changed itself shows nothing, unless the proof passes with the check as it was, too. */
export async function changedGiven(
  { proof, changedOfGiven: paths }: Evidence,
  ask: Ask,
): Promise<Verdict | null> {
  if (paths.length === 0) return null;
  const answer = await ask({ what: 'put_back', paths });
  return answer.kind === 'ran' && answer.passed
    ? null
    : unproved(`${proof.cmd} passes, but this run changed ${listed(paths)}, which it runs`);
}
