/** Tests that failed during the run must pass at its end. Pure except for the trials it requests. */
import {
  type Answer,
  type Ask,
  type Evidence,
  listed,
  namesOf,
  proved,
  type RedRun,
  unproved,
  type Verdict,
} from '../evidence.ts';
import { allFailed, ranNone } from './test-answers.ts';

/** A proof that runs fewer tests does not cover those that were seen to fail. */
export async function stillRed({ reds }: Evidence, ask: Ask): Promise<Verdict | null> {
  for (const run of reds) {
    const answer = await ask({ what: 'red', run });
    // A model may rename its own tests.
    if (run.isOwn && ranNone(answer)) continue;
    if (answer.kind !== 'ran') {
      const why = answer.kind === 'none' ? `: ${answer.why}` : '';
      return unproved(
        `${run.cmd} failed in this run, and it is not known whether it passes now${why}`,
      );
    }
    if (!answer.passed && !isAsBefore(run, answer))
      return unproved(
        `${run.cmd} failed in this run and still does${namesOf(answer.failed ?? [])}`,
      );
  }
  return null;
}

/**
 * Runs in which exactly the same tests fail as before. Nobody knows whether the goal is about them, so nothing is
 * claimed; what was shown is told.
 */
export async function withReds(verdict: Verdict, { reds }: Evidence, ask: Ask): Promise<Verdict> {
  for (const run of reds) {
    const answer = await ask({ what: 'red', run });
    if (answer.kind !== 'ran' || answer.passed || !isAsBefore(run, answer)) continue;
    const red = `${run.cmd} fails as before this run${namesOf(answer.failed ?? [])}`;
    return unproved(`${verdict.words}; ${verdict.isProved ? 'but ' : ''}${red}`);
  }
  return verdict;
}

/** What was red before and is green now shows the work, unless only unsteady tests were red. */
export function redThenGreen({ proof, unsteady, redBefore }: Evidence, words: string): Verdict {
  const red = `${words}; before the first change it failed`;
  if (unsteady.length === 0) return proved(red);
  return redBefore.some((name) => !unsteady.includes(name))
    ? proved(`${red}; ${listed(unsteady)} failed and passed with no change of this run between`)
    : unproved(
        `${proof.cmd} passes, but ${listed(unsteady)} failed and passed with no change of this run between`,
      );
}

/** True when exactly the same tests fail. */
function isAsBefore(
  { failedBefore = [] }: RedRun,
  answer: Extract<Answer, { kind: 'ran' }>,
): boolean {
  const names = allFailed(answer) ?? [];
  return (
    names.length > 0 &&
    names.length === failedBefore.length &&
    names.every((name) => failedBefore.includes(name))
  );
}
