/**
 * The candidates of one run and how they are doing.
 *
 * Owns the state that `decide` reads, nothing durable: a run that is resumed starts with all well.
 * 1. `inUse` is the candidate of the settings in effect; `current` the one asked last.
 * 2. Neither changes but by `asking` and `settled`.
 */
import type { Clock } from '../../lib/clock.ts';
import type { TurnStatus } from '../../schema/turn.ts';
import { type Candidate, nameOf } from './candidate.ts';
import { attempted, type Decision, decide, startFailover, startTurn } from './decide.ts';

export interface Failover {
  readonly candidates: readonly Candidate[];
  inUse(): Candidate;
  isInUse(index: number): boolean;
  /** Starts counting a turn, unless it is under way. `earlier`: its attempts before a crash. */
  beginTurn(turn: number, earlier: number): void;
  /** The candidate that is asked now, be it only what it is. */
  asking(index: number): void;
  /** The candidate asked last is from now on the one in use. */
  settled(): void;
  /** What an attempt of the candidate asked last ended in. */
  ended(status: TurnStatus): void;
  /** True at the first answer since another candidate came into use. */
  isNewVoice(): boolean;
  /** What follows on it. */
  decide(status: TurnStatus): Decision;
}

export function createFailover(
  candidates: readonly Candidate[],
  start: number,
  clock: Pick<Clock, 'monotonic'>,
): Failover {
  let state = startFailover(candidates.map(nameOf), start);
  let inUse = start;
  let isNew = false;
  let turnUnderWay: number | null = null;
  const at = (index: number): Candidate => {
    const candidate = candidates[index];
    if (!candidate) throw new Error(`There is no candidate ${index}.`);
    return candidate;
  };
  return {
    candidates,
    inUse: () => at(inUse),
    isInUse: (index) => index === inUse,
    beginTurn: (turn, earlier) => {
      if (turn === turnUnderWay) return;
      turnUnderWay = turn;
      state = startTurn(state, earlier);
    },
    asking: (index) => {
      state = { ...state, current: index };
    },
    settled: () => {
      isNew ||= inUse !== state.current;
      inUse = state.current;
    },
    ended: (status) => {
      state = attempted(state, status, clock.monotonic());
    },
    isNewVoice: () => {
      const was = isNew;
      isNew = false;
      return was;
    },
    decide: (status) => decide(state, status, clock.monotonic()),
  };
}
