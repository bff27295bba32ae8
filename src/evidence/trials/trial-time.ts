/**
 * How long questions to the scratch copy may take.
 * 1. One without whose answer nothing is claimed has a time of its own; all others share as much.
 * 2. The time is longer where the proof takes longer: a suite of half a minute is no reason to claim nothing.
 * 3. All of them end within `MOST_MS`.
 */
import type { Clock } from '../../lib/clock.ts';
import type { Question } from '../evidence.ts';

const MOST_MS = 30 * 60_000;
const LEAST_MS = 60_000;
const TIMES_THE_PROOF = 4;
/**
 * So long may a try take whose code does nothing, in what the same takes as it is: one that does not end
 * then, since a server waits or a loop finds no end, was noticed, as tools that change code to try its
 * tests count it. It takes no time from the others either.
 */
const TIMES_UNCHANGED = 5;
const LEAST_SECONDS = 10;
/** A try is begun only with so many times what the same takes as it is: cut off it would say nothing. */
const FAIR_SHARE = 1.5;

const NEEDED: ReadonlySet<Question['what']> = new Set([
  ...(['unchanged', 'before', 'old_code', 'old_tests'] as const),
  ...(['red', 'first_proof', 'without', 'example'] as const),
]);
const ALTERED: ReadonlySet<Question['what']> = new Set(['emptied', 'constant', 'no_value']);

/** @param proofMs what the proof took in the workspace; 0 where it is not known */
export function trialTime(clock: Pick<Clock, 'monotonic'>, proofMs: number) {
  const end = clock.monotonic() + MOST_MS;
  let sharedMs = 0;
  let unchangedMs: number | null = null;
  // On a machine that is busy by now a copy takes longer than the proof did.
  const usualMs = (): number => Math.max(proofMs, unchangedMs ?? 0);
  const leftFor = (question: Question): number => {
    const own = Math.max(LEAST_MS, TIMES_THE_PROOF * usualMs());
    return Math.min(end - clock.monotonic(), isNeeded(question) ? own : own - sharedMs);
  };
  return {
    /** `null`: too few to come to an end. */
    secondsFor: (question: Question, isProof: boolean): number | null => {
      const seconds = Math.floor(leftFor(question) / 1000);
      return seconds < Math.max(1, isProof ? (FAIR_SHARE * usualMs()) / 1000 : 0) ? null : seconds;
    },
    /** Seconds after which it was noticed that the code does nothing; `null`: that is not asked. */
    enoughFor: ({ what }: Question): number | null =>
      unchangedMs === null || !ALTERED.has(what)
        ? null
        : Math.max(LEAST_SECONDS, Math.ceil((TIMES_UNCHANGED * unchangedMs) / 1000)),
    isOver: (question: Question): boolean => leftFor(question) <= 1000,
    took: (question: Question, ms: number): void => {
      if (question.what === 'unchanged') unchangedMs ??= ms;
      if (!isNeeded(question)) sharedMs += ms;
    },
  };
}

/** Which of several earlier tests it is that fails is good to know, and no more. */
const isNeeded = (question: Question): boolean =>
  NEEDED.has(question.what) && !(question.what === 'old_tests' && question.path !== undefined);
