/**
 * Tells a trial whose tests failed from one in which they could not be built: that shows nothing of what the
 * tests notice. Pure except for the trials it requests.
 * 1. A runner that names a failed test, or counts one, ran it.
 * 2. A runner that counts the tests of an unchanged copy ran none where it counts none.
 * 3. Of other programs the output tells: it goes on like that of an unchanged copy, or it ends like that of a
 *    copy in which a file of the code or of the tests holds no code.
 */
import { redTests } from '../../languages/testing/named-tests.ts';
import { testCountsIn } from '../../languages/testing/test-output.ts';
import type { AskTrial, TrialAnswer } from '../evidence.ts';

type Ran = Extract<TrialAnswer, { kind: 'ran' }>;

/** @param paths the altered code, and the tests that should notice it */
export async function reachedTests(
  answer: Ran,
  paths: readonly string[],
  ask: AskTrial,
): Promise<boolean> {
  if (answer.isUnmade) return false;
  // It did not end in time, so something ran.
  if (answer.exitCode === null || namesFailed(answer)) return true;
  const green = await ask({ what: 'unchanged' });
  if (green.kind === 'ran' && testCountsIn(green.output) !== null) return false;
  const unbuilt: Ran[] = [];
  for (const path of new Set(paths)) {
    const broken = await ask({ what: 'broken', path });
    if (broken.kind === 'ran' && !broken.passed) unbuilt.push(broken);
  }
  const early = new Set(unbuilt.flatMap(linesOf));
  const late = new Set(green.kind === 'ran' ? linesOf(green) : []);
  const goesOn = linesOf(answer).some((line) => late.has(line) && !early.has(line));
  return goesOn || !unbuilt.some((one) => endsAlike(one, answer));
}

const namesFailed = ({ output, tests }: Ran): boolean =>
  redTests(output).some(({ name }) => name !== '') ||
  ((tests ?? testCountsIn(output))?.failed ?? 0) > 0;

const linesOf = ({ output }: Ran): readonly string[] =>
  output.split(/\r?\n/).flatMap((line) => line.trim() || []);

function endsAlike(one: Ran, other: Ran): boolean {
  const [end, otherEnd] = [linesOf(one).at(-1), linesOf(other).at(-1)];
  return end !== undefined && end === otherEnd && one.exitCode === other.exitCode;
}
