// Pure: who is asked next after an attempt, when, and when to give up.
import type { CandidateName } from '../../schema/events/events.ts';
import type { HealthByPart, Tries } from '../../schema/journal/waits.ts';
import { isTransient, type TurnStatus } from '../../schema/model/turn.ts';
import { coolingMs, healthAfterAttempt, isCandidateSkipped } from './health.ts';
import { isCostly, verdictOf } from './retry.ts';

/** Attempts of one turn. An attempt that only shows that a profile or model is unusable does not count. */
export const MAX_ATTEMPTS = 3;

/**
 * Failed turns in a row before the run fails. With waits of 1, 2, 4, 8 and 16 s, a run survives a server that
 * restarts within half a minute, and gives up on one that stays away longer.
 */
export const MAX_TURNS = 2;

/** The longest wait between two turns. */
export const LONGEST_PAUSE_MS = 60_000;

/** If a server asks for a longer wait than this, the run pauses and can be resumed later. */
export const LONGEST_PATIENCE_MS = 60 * 60_000;

/** The candidates that can be asked. */
export interface Ways {
  /** In order of preference. */
  readonly candidates: readonly CandidateName[];
  /** Index of the candidate in use; it stays until it fails. */
  readonly current: number;
  /** Attempts of a turn, if limited; a turn that used them up is given up for good. */
  readonly most?: number | undefined;
}

export interface FailoverState extends Ways {
  readonly health: HealthByPart;
  /** The current turn. */
  readonly turn: Tries & {
    /** The attempts that ended in a transient failure. */
    readonly transientFailures: number;
    /** Turns in a row that were abandoned before this one. */
    readonly abandonedTurns: number;
  };
}

export const NOTHING_TRIED: Tries = { attempts: 0, asked: {}, spent: [] };

export type FailoverDecision =
  /** The status is final. */
  | { readonly kind: 'final' }
  | {
      readonly kind: 'ask';
      readonly candidate: number;
      readonly waitMs: number;
      /** This turn is abandoned, and a new turn makes the same request. */
      readonly isNewTurn: boolean;
    }
  | { readonly kind: 'give_up' };

/** What happened before the turn is asked here: its attempts before a crash, and the turns before it. */
export interface EarlierAttempts {
  readonly attempts: number;
  readonly transientFailures?: number;
  readonly abandonedTurns?: number;
}

/** The state after the candidate in use was asked and its attempt ended with `status`. */
export function attempted(state: FailoverState, status: TurnStatus, now: number): FailoverState {
  const { candidates, current, health, turn } = state;
  const candidate = candidates[current];
  if (!candidate) return state;
  const isFree = verdictOf(status).kind === 'skip';
  const key = keyOf(candidate);
  const times = (turn.asked[key] ?? 0) + 1;
  return {
    ...state,
    health: healthAfterAttempt(health, candidate, status, now),
    turn: {
      ...turn,
      attempts: turn.attempts + (isFree ? 0 : 1),
      transientFailures: turn.transientFailures + (isTransient(status) ? 1 : 0),
      asked: { ...turn.asked, [key]: times },
      spent: isCostly(status) && times > 1 ? [...turn.spent, key] : turn.spent,
    },
  };
}

const keyOf = ({ provider, model, profile }: CandidateName): string =>
  JSON.stringify([provider, profile, model]);

/** Whether this turn has used all its attempts. */
export const isSpent = ({ turn }: Pick<FailoverState, 'turn'>, candidate: CandidateName): boolean =>
  turn.spent.includes(keyOf(candidate));

/**
 * What follows from `status`. Chooses the candidate in use if it is ready, else the first that is ready. If
 * all are cooling down, chooses the one that is ready first, after exactly its wait.
 */
export function decide(state: FailoverState, status: TurnStatus, now: number): FailoverDecision {
  if (verdictOf(status).kind === 'final') return { kind: 'final' };
  const { candidates, current, health, turn, most } = state;
  const isNewTurn = most === undefined && isFollowed(turn);
  if (turn.attempts >= (most ?? MAX_ATTEMPTS) && !isNewTurn) return { kind: 'give_up' };
  const usable = candidates.flatMap((candidate, index) =>
    isCandidateSkipped(health, candidate) || isSpent(state, candidate)
      ? []
      : [{ candidate: index, waitMs: coolingMs(health, candidate, now) }],
  );
  const ready = usable.filter(({ waitMs }) => waitMs === 0);
  const [first] = ready;
  if (first) {
    const chosen = ready.find((one) => one.candidate === current) ?? first;
    return { kind: 'ask', ...chosen, isNewTurn };
  }
  const [soonest] = usable.toSorted((one, other) => one.waitMs - other.waitMs);
  return soonest && soonest.waitMs <= (isNewTurn ? LONGEST_PAUSE_MS : LONGEST_PATIENCE_MS)
    ? { kind: 'ask', ...soonest, isNewTurn }
    : { kind: 'give_up' };
}

/** Whether a new turn follows one whose attempts all failed transiently; not after `MAX_TURNS` in a row. */
export const isFollowed = ({
  transientFailures = 0,
  abandonedTurns = 0,
}: Omit<EarlierAttempts, 'attempts'>): boolean =>
  transientFailures >= MAX_ATTEMPTS && abandonedTurns + 1 < MAX_TURNS;
