/**
 * Limits how long questions to the scratch copy may take.
 * 1. Questions that every claim needs have their own time; all others share an equal amount.
 * 2. A slower proof gets more time: a suite that takes half a minute must not prevent a claim.
 * 3. A copy that lacks what builds keep in the workspace gets more: everything is built there from nothing.
 * 4. All trials together end within `MAX_MS`.
 */
import type { Clock } from '../../lib/clock.ts';
import type { TrialQuestion } from '../evidence.ts';

const MAX_MS = 30 * 60_000;
const MIN_MS = 60_000;
const COLD_MS = 5 * MIN_MS;
const TIMES_THE_PROOF = 4;
/**
 * A trial with emptied code may take this many times the unchanged duration. If it has not ended by then (a
 * server waits, a loop never ends), the tests noticed the change, as in mutation testing. This time is not
 * taken from the other trials.
 */
const TIMES_UNCHANGED = 5;
const MIN_SECONDS = 10;
/**
 * A trial starts only if this multiple of the unchanged duration is left: a trial that is cut off answers
 * nothing.
 */
const FAIR_SHARE = 1.5;

const NEEDED: ReadonlySet<TrialQuestion['what']> = new Set([
  ...(['unchanged', 'before', 'seen', 'old_code', 'old_tests'] as const),
  ...(['red', 'first_proof', 'without', 'example', 'blank'] as const),
]);
const ALTERED: ReadonlySet<TrialQuestion['what']> = new Set([
  ...(['emptied', 'constant', 'no_value', 'altered'] as const),
]);

/**
 * If each trial builds first, all trials together get this many times as long: a build cannot be shortened.
 */
const TIMES_WITH_BUILD = 3;

/**
 * @param proofMs milliseconds that the proof took in the workspace; 0 when unknown
 * @param isBuilding true if something is made anew in each copy
 */
export function trialTime(
  clock: Pick<Clock, 'monotonic'>,
  proofMs: number,
  isBuilding: boolean = false,
) {
  const times = isBuilding ? TIMES_WITH_BUILD : 1;
  const end = clock.monotonic() + MAX_MS;
  let sharedMs = 0;
  let unchangedMs: number | null = null;
  // If the machine has become busy, a copy takes longer than the proof did.
  const usualMs = (): number => Math.max(proofMs, unchangedMs ?? 0);
  const leftFor = (question: TrialQuestion, isCold: boolean = false): number => {
    const own = Math.max(isCold ? COLD_MS : MIN_MS, TIMES_THE_PROOF * usualMs());
    return Math.min(end - clock.monotonic(), isNeeded(question) ? own : times * own - sharedMs);
  };
  return {
    /**
     * @param isCold the copy lacks what builds keep in the workspace
     * @returns `null`: too little time is left to finish
     */
    secondsFor: (question: TrialQuestion, isProof: boolean, isCold?: boolean): number | null => {
      const seconds = Math.floor(leftFor(question, isCold) / 1000);
      return seconds < Math.max(1, isProof ? (FAIR_SHARE * usualMs()) / 1000 : 0) ? null : seconds;
    },
    /** Seconds after which a trial that still runs counts as noticed; `null`: not for this question. */
    enoughFor: ({ what }: TrialQuestion): number | null =>
      unchangedMs === null || !ALTERED.has(what)
        ? null
        : Math.max(MIN_SECONDS, Math.ceil((TIMES_UNCHANGED * unchangedMs) / 1000)),
    isOver: (question: TrialQuestion): boolean => leftFor(question) <= 1000,
    /** @param isEndless the trial was cut off after `enoughFor` */
    took: (question: TrialQuestion, ms: number, isEndless: boolean): void => {
      if (question.what === 'unchanged') unchangedMs ??= ms;
      if (!isNeeded(question) && !isEndless) sharedMs += ms;
    },
  };
}

/** Which one of several earlier tests fails is useful to know but not needed for a claim. */
const isNeeded = (question: TrialQuestion): boolean =>
  NEEDED.has(question.what) && !(question.what === 'old_tests' && question.path !== undefined);
