/** Tests that failed during the run must pass at its end. Pure except for the trials it requests. */
import { testCountsIn } from '../../languages/testing/test-output.ts';
import {
  type Answer,
  type Ask,
  type Evidence,
  namesOf,
  type RedRun,
  unproved,
  type Verdict,
} from '../evidence.ts';

/** A proof that runs fewer tests does not cover those that were seen to fail. */
export async function stillRed({ reds }: Evidence, ask: Ask): Promise<Verdict | null> {
  for (const run of reds) {
    const answer = await ask({ what: 'red', run });
    if (answer.kind === 'ran' && answer.passed) continue;
    const why = answer.kind === 'none' ? `: ${answer.why}` : '';
    if (answer.kind !== 'ran')
      return unproved(
        `${run.cmd} failed in this run, and it is not known whether it passes now${why}`,
      );
    const names = answer.failed ?? [];
    const how = isAsBefore(run, answer)
      ? 'fails as before this run'
      : 'failed in this run and still does';
    return unproved(`${run.cmd} ${how}${namesOf(names)}`);
  }
  return null;
}

/** True when exactly the same tests fail. */
function isAsBefore(
  { failedBefore = [] }: RedRun,
  { failed = [], output }: Extract<Answer, { kind: 'ran' }>,
): boolean {
  const count = testCountsIn(output)?.failed ?? failed.length;
  return (
    failed.length > 0 &&
    [failed.length, count].every((one) => one === failedBefore.length) &&
    failed.every((name) => failedBefore.includes(name))
  );
}
