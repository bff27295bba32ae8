// Who is asked next after an attempt, when, and when nobody is: a pure function.
import type { CandidateName } from '../../schema/events.ts';
import type { TurnStatus } from '../../schema/turn.ts';
import { isCostly, verdictOf } from '../retry.ts';
import { ALL_WELL, afterAttempt, coolingMs, type Health, isSkipped } from './health.ts';

/** Attempts of one turn. One that only found out that a profile or model cannot be used is free. */
export const MAX_ATTEMPTS = 3;

/** A server that asks for more patience than this is given up, and the run can be resumed later. */
export const LONGEST_PATIENCE_MS = 60 * 60_000;

export interface FailoverState {
  /** In order of preference. */
  readonly candidates: readonly CandidateName[];
  /** Index of the one in use; it stays until it fails. */
  readonly current: number;
  readonly health: Health;
  /** The turn under way. */
  readonly turn: {
    /** Attempts that count. */
    readonly attempts: number;
    /** How often each candidate was asked. */
    readonly asked: readonly number[];
    /** Candidates that had their chances in this turn. */
    readonly isSpent: readonly boolean[];
  };
}

export type Decision =
  /** The status stands as it is. */
  | { readonly kind: 'final' }
  | { readonly kind: 'ask'; readonly candidate: number; readonly waitMs: number }
  | { readonly kind: 'give_up' };

export const startFailover = (
  candidates: readonly CandidateName[],
  current: number,
): FailoverState =>
  startTurn({
    candidates,
    current,
    health: ALL_WELL,
    turn: { attempts: 0, asked: [], isSpent: [] },
  });

/** @param earlier attempts of this turn before a crash; one more is always granted. */
export const startTurn = (state: FailoverState, earlier = 0): FailoverState => ({
  ...state,
  turn: {
    attempts: Math.min(earlier, MAX_ATTEMPTS - 1),
    asked: state.candidates.map(() => 0),
    isSpent: state.candidates.map(() => false),
  },
});

/** The state after the candidate in use was asked and its attempt ended with `status`. */
export function attempted(state: FailoverState, status: TurnStatus, now: number): FailoverState {
  const { candidates, current, health, turn } = state;
  const candidate = candidates[current];
  if (!candidate) return state;
  const isFree = verdictOf(status).kind === 'skip';
  const asked = turn.asked.with(current, (turn.asked[current] ?? 0) + 1);
  const isSpent = isCostly(status) && (asked[current] ?? 0) > 1;
  return {
    ...state,
    health: afterAttempt(health, candidate, status, now),
    turn: {
      attempts: turn.attempts + (isFree ? 0 : 1),
      asked,
      isSpent: isSpent ? turn.isSpent.with(current, true) : turn.isSpent,
    },
  };
}

/**
 * What follows on `status`. The one in use stays as long as it is ready, else the first that is;
 * where all are cooling it is the one that is ready first, and the wait is exactly until then.
 */
export function decide(state: FailoverState, status: TurnStatus, now: number): Decision {
  if (verdictOf(status).kind === 'final') return { kind: 'final' };
  const { candidates, current, health, turn } = state;
  if (turn.attempts >= MAX_ATTEMPTS) return { kind: 'give_up' };
  const usable = candidates.flatMap((candidate, index) =>
    isSkipped(health, candidate) || turn.isSpent[index]
      ? []
      : [{ candidate: index, waitMs: coolingMs(health, candidate, now) }],
  );
  const ready = usable.filter(({ waitMs }) => waitMs === 0);
  const [first] = ready;
  if (first) return { kind: 'ask', ...(ready.find((one) => one.candidate === current) ?? first) };
  const [soonest] = usable.toSorted((one, other) => one.waitMs - other.waitMs);
  return soonest && soonest.waitMs <= LONGEST_PATIENCE_MS
    ? { kind: 'ask', ...soonest }
    : { kind: 'give_up' };
}
