/** How long trials may take, by a clock that only this test moves. */
import { expect, it } from 'vitest';
import type { TrialQuestion } from '../../../src/evidence/evidence.ts';
import { trialTime } from '../../../src/evidence/trials/trial-time.ts';

const UNCHANGED: TrialQuestion = { what: 'unchanged' };
const OLD_CODE: TrialQuestion = { what: 'old_code' };
const OLD_TESTS: TrialQuestion = { what: 'old_tests' };
const ONE_OLD_TEST: TrialQuestion = { what: 'old_tests', path: 'a.test.mjs' };
const EMPTIED: TrialQuestion = { what: 'emptied', path: 'a.mjs' };

function timed(proofMs: number, isBuilding = false) {
  let now = 5_000_000;
  const time = trialTime({ monotonic: () => now }, proofMs, isBuilding);
  const spend = (question: TrialQuestion, seconds: number, isEndless = false): void => {
    now += seconds * 1000;
    time.took(question, seconds * 1000, isEndless);
  };
  return { ...time, spend };
}

it('what a claim needs has a minute of its own, whatever the others took', () => {
  const { secondsFor, spend } = timed(2_000);
  spend(EMPTIED, 40);
  spend(ONE_OLD_TEST, 19);
  expect([UNCHANGED, OLD_CODE, OLD_TESTS].map((one) => secondsFor(one, true))).toEqual([
    60, 60, 60,
  ]);
  expect(secondsFor(EMPTIED, true)).toBeNull();
});

it('the time follows what the proof takes, here or in the copy, whichever is slower', () => {
  const { secondsFor, spend } = timed(20_000);
  expect(secondsFor(UNCHANGED, true)).toBe(80);
  spend(UNCHANGED, 35);
  expect(secondsFor(OLD_CODE, true)).toBe(140);
  spend(EMPTIED, 35);
  spend(EMPTIED, 52);
  expect(secondsFor(EMPTIED, true)).toBe(53);
  spend(EMPTIED, 1);
  expect(secondsFor(EMPTIED, true)).toBeNull();
});

it('where each trial builds, those that a claim does not need have more time together', () => {
  const { secondsFor, spend } = timed(10_000, true);
  spend(UNCHANGED, 10);
  for (let trial = 0; trial < 10; trial += 1) spend(EMPTIED, 10);
  expect(secondsFor(EMPTIED, true)).toBe(80);
  expect(secondsFor(UNCHANGED, true)).toBe(60);
});

it('a copy that lacks what builds keep has five minutes', () => {
  const { secondsFor, spend } = timed(2_000);
  expect(secondsFor(UNCHANGED, true, true)).toBe(300);
  spend(UNCHANGED, 100);
  expect([secondsFor(OLD_TESTS, true, true), secondsFor(EMPTIED, true)]).toEqual([400, 400]);
  spend(OLD_TESTS, 3);
  expect(timed(100_000).secondsFor(UNCHANGED, true, true)).toBe(400);
});

it('all of it together ends within half an hour', () => {
  const { secondsFor, spend } = timed(600_000);
  spend(UNCHANGED, 600);
  expect(secondsFor(OLD_TESTS, true)).toBe(1200);
  spend(OLD_TESTS, 1199);
  expect(secondsFor(OLD_CODE, true)).toBeNull();
  expect(secondsFor(OLD_CODE, false)).toBe(1);
  spend(OLD_CODE, 1);
  expect(secondsFor(OLD_CODE, false)).toBeNull();
});

it('a trial that never ends takes nothing from the others', () => {
  const { secondsFor, spend } = timed(2_000);
  spend(UNCHANGED, 2);
  for (let file = 0; file < 8; file += 1) spend(EMPTIED, 10, true);
  expect(secondsFor(EMPTIED, true)).toBe(60);
});
