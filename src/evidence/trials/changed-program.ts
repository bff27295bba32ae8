/** Looks whether the run changed what its proof runs. Pure except for the trials it requests. */
import { type Ask, type Evidence, listed, unproved, type Verdict } from '../evidence.ts';

/**
 * A proof that passes with nothing in a file shows nothing of what the run wrote there: the file is its program, and not
 * what is proved. So it must pass with that file as it was before, too. What the goal says that it prints is known apart
 * from its program.
 */
export async function changedProgram(
  { proof, changedOfProof: { programs, settings }, isGiven }: Evidence,
  ask: Ask,
): Promise<Verdict | null> {
  if (proof.prints !== undefined) return null;
  const paths = [...settings];
  for (const path of programs) {
    const blank = await ask({ what: 'blank', path });
    if (blank.kind !== 'ran' || blank.passed) paths.push(path);
  }
  if (paths.length === 0) return null;
  const answer = await ask({ what: 'put_back', paths });
  if (answer.kind === 'ran' && answer.passed) return null;
  const words = `${proof.cmd} passes, but this run changed ${listed(paths)}, which it runs`;
  return unproved(isGiven ? words : `${words}: tests would show the work`, 'tests_notice_nothing');
}
