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
import {
  attempted,
  type Before,
  type Decision,
  decide,
  isFollowed,
  startFailover,
  startTurn,
} from './decide.ts';

export interface Failover {
  readonly candidates: readonly Candidate[];
  inUse(): Candidate;
  isInUse(index: number): boolean;
  /**
   * Starts counting the turn after the last one that is over, unless it is under way. What is told
   * besides is of the time before a crash; a turn that was given up then is followed by the next.
   */
  beginTurn(counted: Before & { readonly turns: number }): void;
  /** The turn under way is given up; the next one asks the same. */
  beginNextTurn(): void;
  /** The number of the turn under way. */
  turn(): number;
  /** The candidate that is asked now, be it only what it is. */
  asking(index: number): void;
  /** The candidate asked last is from now on the one in use. */
  settled(): void;
  /** Both at once. */
  use(index: number): void;
  /** What an attempt of the candidate asked last ended in. */
  ended(status: TurnStatus): void;
  /** True at the first answer since another candidate came into use, or a turn was given up. */
  isFirstAnswerFromCandidate(): boolean;
  /** What follows on it. */
  decide(status: TurnStatus): Decision;
}

export function createFailover(
  candidates: readonly Candidate[],
  start: number,
  clock: Pick<Clock, 'monotonic'>,
  most?: number,
): Failover {
  let state = startFailover(candidates.map(nameOf), start, most);
  let inUse = start;
  let isNew = false;
  let turnUnderWay = 0;
  const nextTurn = (): void => {
    turnUnderWay += 1;
    isNew = true;
    state = startTurn(state, { attempts: 0, givenUp: state.turn.givenUp + 1 });
  };
  const at = (index: number): Candidate => {
    const candidate = candidates[index];
    if (!candidate) throw new Error(`There is no candidate ${index}.`);
    return candidate;
  };
  return {
    candidates,
    inUse: () => at(inUse),
    isInUse: (index) => index === inUse,
    beginTurn: ({ turns, ...before }) => {
      if (turnUnderWay > turns) return;
      turnUnderWay = turns + 1;
      state = startTurn(state, before);
      isNew ||= (before.givenUp ?? 0) > 0;
      if (isFollowed(before)) nextTurn();
    },
    beginNextTurn: () => nextTurn(),
    turn: () => turnUnderWay,
    asking: (index) => {
      state = { ...state, current: index };
    },
    settled: () => {
      isNew ||= inUse !== state.current;
      inUse = state.current;
    },
    use: (index) => {
      inUse = index;
    },
    ended: (status) => {
      state = attempted(state, status, clock.monotonic());
    },
    isFirstAnswerFromCandidate: () => {
      const was = isNew;
      isNew = false;
      return was;
    },
    decide: (status) => decide(state, status, clock.monotonic()),
  };
}
