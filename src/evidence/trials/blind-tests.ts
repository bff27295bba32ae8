/**
 * Tests that were red may pass because nothing compares any more: a helper that stands outside the tests, a macro or a
 * header can make their assertions do nothing. So one that was red must fail once it expects something else.
 * Pure except for the trials it requests.
 */
import { alterationText, type PlacedAlteration } from '../alterable.ts';
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
  const missed: PlacedAlteration[] = [];
  for (const change of was.kind === 'ran' ? expectedIn(was.output) : []) {
    const answer = await ask({ what: 'altered', change });
    if (answer.kind !== 'ran') break;
    if (!answer.passed) return null;
    missed.push(change);
  }
  const run = await filesRun([...new Set(missed.map(({ path }) => path))], ask);
  const blind = missed.filter(({ path }) => run.includes(path)).map(alterationText);
  return blind.length === 0
    ? null
    : unproved(`${proof.cmd} passes, but its tests do so even ${listed(blind)}`);
}

/** The proof does not run a file that may hold anything. */
async function filesRun(paths: readonly string[], ask: Ask): Promise<readonly string[]> {
  const run: string[] = [];
  for (const path of paths) {
    const broken = await ask({ what: 'broken', path });
    if (broken.kind === 'ran' && !broken.passed) run.push(path);
  }
  return run;
}
