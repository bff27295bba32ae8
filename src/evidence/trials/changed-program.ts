/** Looks whether the run changed the program that its proof runs. Pure except for the trial it requests. */
import { type Ask, type Evidence, listed, unproved, type Verdict } from '../evidence.ts';

/**
 * A program that the run changed itself shows nothing, unless it passes as it was before, too. What the goal says that
 * it prints is known apart from it.
 */
export async function changedProgram(
  { proof, changedOfProof: paths, isGiven }: Evidence,
  ask: Ask,
): Promise<Verdict | null> {
  if (paths.length === 0 || proof.prints !== undefined) return null;
  const answer = await ask({ what: 'put_back', paths });
  if (answer.kind === 'ran' && answer.passed) return null;
  const words = `${proof.cmd} passes, but this run changed ${listed(paths)}, which it runs`;
  return unproved(isGiven ? words : `${words}: tests would show the work`, 'tests_notice_nothing');
}
