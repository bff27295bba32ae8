/** Tests that were red must be seen passing: code can end their process with success. Pure except for the trial. */
import { namesItsTests } from '../../languages/testing/named-tests.ts';
import { testCountsIn, testsInAllParts } from '../../languages/testing/test-output.ts';
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

/** A verdict: they were not seen passing. Words: nobody can tell; '': they were, or nothing says that tests were red. */
type Unseen = Verdict | string;

/** @param was how the proof ended with the files as they were */
export async function notSeenPassing(evidence: Evidence, was: Answer, ask: Ask): Promise<Unseen> {
  const { red, counts } = redIn(was);
  if (red.length === 0 && !counts?.failed && !namesItsTests(evidence.proof.cmd)) return '';
  const answer = await ask({ what: 'seen', red });
  return unseenIn(answer, was, evidence, 'failed before the first change');
}

/** The same of tests of this run. @param how they failed: `failed with a.py emptied` */
export async function ownNotSeenPassing(
  evidence: Evidence,
  was: Answer,
  how: string,
  ask: Ask,
): Promise<Unseen> {
  const { red, counts, all } = redIn(was);
  if (red.length === 0 && !counts?.failed) return '';
  const green = await ask({ what: 'unchanged' });
  // The same tests ran, so none of them can be missing.
  const areAll =
    green.kind === 'ran' && all !== null && testsInAllParts(green.output).passed >= all;
  return areAll ? '' : unseenIn(await ask({ what: 'seen', red, now: true }), was, evidence, how);
}

function redIn(was: Answer) {
  const { red = [], output } = was.kind === 'ran' ? was : { output: '' };
  const counts = testCountsIn(output);
  return { red, counts, all: counts?.passed == null ? null : counts.passed + counts.failed };
}

function unseenIn(answer: Answer, was: Answer, { proof }: Evidence, how: string): Unseen {
  if (answer.kind !== 'ran') return `which of its tests passed is not known: ${noAnswer(answer)}`;
  if (!answer.passed || answer.seen === undefined)
    return 'which of its tests passed is not known: it fails in a copy where they are named';
  const { seen } = answer;
  const { red, all } = redIn(was);
  if (!isAgainst(seen, all, red.length > 0))
    return isTold(seen, all, red.length > 0) ? '' : UNNAMED;
  const { missing } = seen;
  const are = missing.length > 1 ? 'are' : 'is';
  const what =
    missing.length === 0
      ? 'nothing shows that its tests came to their end'
      : `${listed(missing)} ${how} and ${are} not among the tests that pass`;
  return unproved(`${proof.cmd} passes, but ${what}`, 'earlier_tests_fail');
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
