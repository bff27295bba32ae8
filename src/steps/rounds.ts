/** Rounds: every question and every planned call belongs to one, and their number is limited. */
import { traitsOf } from '../schema/driver.ts';
import type { RoundOrigin } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import { type Limits, PATIENCE, type Step } from './step.ts';

/** Opens a round if none is open; otherwise returns the step within it. */
export function inRound(
  state: RunState,
  limits: Limits,
  origin: RoundOrigin,
  step: () => Step,
): Step {
  const { round } = state;
  const isUnderWay =
    round !== null &&
    round.subtask === (state.active?.id ?? 'none') &&
    round.origin === origin &&
    !round.isOver &&
    round.turns < PATIENCE.turnsInARound;
  return isUnderWay ? step() : openRound(state, limits, origin);
}

export function openRound(
  state: RunState,
  limits: Limits,
  origin: RoundOrigin,
  calls: Extract<Step, { do: 'open_round' }>['calls'] = [],
): Step {
  return roundLimit(state, limits) ?? { do: 'open_round', origin, calls };
}

/** The pause at the round limit; `null` while another round is allowed. */
export function roundLimit({ settings, counters }: RunState, limits: Limits): Step | null {
  const { maxRounds = traitsOf(settings).maxRounds } = limits;
  return counters.roundsSinceResume >= maxRounds
    ? {
        do: 'pause',
        why: 'limit_rounds',
        detail: `${maxRounds} ${maxRounds === 1 ? 'round was' : 'rounds were'} worked since the start`,
      }
    : null;
}
