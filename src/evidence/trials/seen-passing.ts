/** Tests that were red must be seen passing: code can end their process with success. Pure except for the trial. */
import { isCutOff } from '../../languages/testing/named-tests.ts';
import {
  type TestSummary,
  testCountsIn,
  testsInAllParts,
} from '../../languages/testing/test-output.ts';
import { namesItsTests } from '../../languages/testing/test-runs.ts';
import type { SeenTests } from '../../schema/evidence.ts';
import {
  type AskTrial,
  colonAndNames,
  type Evidence,
  listed,
  type TrialAnswer,
  unproved,
  type Verdict,
} from '../evidence.ts';
import { noAnswer } from './passing-examples.ts';

/**
 * A verdict: the tests were not seen passing. A text: why that is unknown; '': they were seen, or nothing was
 * red.
 */
type Unseen = Verdict | string;

/** @param was how the proof ended with the files as they were */
export async function notSeenPassing(
  evidence: Evidence,
  was: TrialAnswer,
  ask: AskTrial,
): Promise<Unseen> {
  const { red, counts } = failedTestsIn(was);
  if (red.length === 0 && !counts?.failed && !namesItsTests(evidence.proof.cmd)) return '';
  const answer = await ask({ what: 'seen', red });
  // A new test may change the code, in the same process, on which earlier tests depend.
  if (answer.kind === 'ran' && !answer.passed && (answer.failed ?? []).length > 0)
    return unproved(
      `${evidence.proof.cmd} passes, but not without the tests that this run added${colonAndNames(answer.failed ?? [])}`,
      'earlier_tests_fail',
    );
  // The copy holds the tests as they were, except those that the goal wants changed.
  const areSame = evidence.wantedTests.length === 0;
  return unseenIn(answer, was, { evidence, how: 'failed before the first change', areSame });
}

/** The same for tests of this run. @param how they failed: `failed with a.py emptied` */
export async function ownNotSeenPassing(
  evidence: Evidence,
  was: TrialAnswer,
  how: string,
  ask: AskTrial,
): Promise<Unseen> {
  const { red, counts, all } = failedTestsIn(was);
  if (red.length === 0 && !counts?.failed) return '';
  const green = await ask({ what: 'unchanged' });
  // The same tests ran, so none of them can be missing.
  const areAll =
    green.kind === 'ran' && all !== null && testsInAllParts(green.output).passed >= all;
  if (areAll) return '';
  const answer = await ask({ what: 'seen', red, now: true });
  return unseenIn(answer, was, { evidence, how, areSame: true });
}

function failedTestsIn(was: TrialAnswer) {
  const { red = [], output, tests } = was.kind === 'ran' ? was : { output: '' };
  const counts = tests ?? testCountsIn(output);
  const named = red.reduce((sum, { of }) => sum + of, 0);
  return {
    red,
    counts,
    all: counts && allIn(counts, red.length),
    // A part of the run may count its tests and name none.
    areAllNamed: named >= (counts?.failed ?? 0),
  };
}

/** All tests of the run. A part of the run may name failed tests without counting them. */
const allIn = ({ passed, failed }: Pick<TestSummary, 'passed' | 'failed'>, names: number) =>
  passed === null ? null : passed + (failed > 0 ? failed : names);

interface Then {
  readonly evidence: Evidence;
  readonly how: string;
  /** The same tests ran then. */
  readonly areSame: boolean;
}

function unseenIn(answer: TrialAnswer, was: TrialAnswer, { evidence, how, areSame }: Then): Unseen {
  const { proof } = evidence;
  if (answer.kind !== 'ran') return `which of its tests passed is not known: ${noAnswer(answer)}`;
  if (!answer.passed || answer.seen === undefined)
    return 'which of its tests passed is not known: it fails in a copy where they are named';
  const { seen } = answer;
  const { red, all, areAllNamed } = failedTestsIn(was);
  if (seen.areRenamed && areSame && ranWhole(was) && areNoFewer(seen, all)) return '';
  // The same command may name its tests in one run and only count them in another.
  const areCounted = !areAllNamed || !(seen.isNamed || seen.isUnnamed);
  const isGone = areCounted && all !== null && seen.passed !== null && seen.passed < all;
  if (!isGone && !isAgainst(seen, all, red.length > 0))
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

/** A test's name may hold a value from the code and so change. No fewer passing tests show it, too. */
const areNoFewer = ({ isCutOff, isUnnamed, passed }: SeenTests, all: number | null): boolean =>
  !isCutOff && !isUnnamed && all !== null && passed !== null && passed >= all;

/** True if the counts are of all tests: the run came to its end, and every file could be loaded. */
const ranWhole = (was: TrialAnswer): boolean =>
  was.kind === 'ran' &&
  !isCutOff(was.output) &&
  (was.red ?? []).length > 0 &&
  (was.red ?? []).every(({ name }) => name !== '');

/** True if the names show it, or if no fewer tests pass than ran before. */
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
