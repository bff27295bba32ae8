/** Tests that were red must be seen passing: code can end their process with success. Pure except for the trial. */
import { namesItsTests } from '../../languages/testing/named-tests.ts';
import { testCountsIn } from '../../languages/testing/test-output.ts';
import type { SeenTests } from '../../schema/evidence.ts';
import {
  type Answer,
  type Ask,
  type Evidence,
  listed,
  unproved,
  type Verdict,
} from '../evidence.ts';
import { noAnswer } from './passing-examples.ts';

/**
 * A verdict: it is certain that they were not seen. Words: nobody can tell; '': they were, or nothing says that tests
 * were red.
 * @param was how the proof ended with the files as they were
 */
export async function notSeenPassing(
  { proof }: Evidence,
  was: Answer,
  ask: Ask,
): Promise<Verdict | string> {
  const { red = [], output } = was.kind === 'ran' ? was : { output: '' };
  const counts = testCountsIn(output);
  if (red.length === 0 && !counts?.failed && !namesItsTests(proof.cmd)) return '';
  const answer = await ask({ what: 'seen', red });
  if (answer.kind !== 'ran') return `which of its tests passed is not known: ${noAnswer(answer)}`;
  if (!answer.passed || answer.seen === undefined)
    return 'which of its tests passed is not known: it fails in a copy where they are named';
  const { seen } = answer;
  const all = counts?.passed == null ? null : counts.passed + counts.failed;
  if (!isAgainst(seen, all, red.length > 0))
    return isTold(seen, all, red.length > 0) ? '' : UNNAMED;
  const [first = ''] = seen.missing;
  return unproved(
    first === ''
      ? `${proof.cmd} passes, but nothing shows that its tests came to their end`
      : `${proof.cmd} passes, but ${listed(seen.missing)} failed before the first change and ${seen.missing.length > 1 ? 'are' : 'is'} not among the tests that pass`,
    'earlier_tests_fail',
  );
}

const UNNAMED = 'its output does not name the tests that pass';

/** @param all how many tests ran before; `null`: nobody counted them */
function isAgainst(
  { missing, isNamed, isUnnamed, isCutOff, passed }: SeenTests,
  all: number | null,
  isRedNamed: boolean,
): boolean {
  if (isCutOff) return true;
  if (isUnnamed) return false;
  if (isRedNamed && isNamed) return missing.length > 0;
  return passed === null && (all !== null || isRedNamed || !isNamed);
}

/** By their names, or because no fewer pass than ran before. */
const isTold = (
  { missing, passed }: SeenTests,
  all: number | null,
  isRedNamed: boolean,
): boolean =>
  isRedNamed && missing.length === 0
    ? true
    : all === null
      ? !isRedNamed
      : passed !== null && passed >= all;
