/** Rounds: every question and every planned call belongs to one. The limit counts those in which the model is asked. */
import { traitsOf } from '../schema/driver.ts';
import type { RoundOrigin } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import { type Limits, PATIENCE, type Step } from './step.ts';
import { stalled } from './unfinished-turn.ts';

/**
 * If no round is open, opens one in which the model decides; otherwise returns the step within the open
 * round.
 */
export function inRound(state: RunState, limits: Limits, step: () => Step): Step {
  const { round } = state;
  const isUnderWay =
    round !== null &&
    round.subtask === (state.active?.id ?? 'none') &&
    round.origin === 'decision' &&
    !round.isOver &&
    round.turns < PATIENCE.turnsInARound;
  if (!isUnderWay) return openRound(state, limits, 'decision');
  return (round.turns === 0 ? roundLimit(state, limits) : null) ?? step();
}

export function openRound(
  state: RunState,
  limits: Limits,
  origin: RoundOrigin,
  calls: Extract<Step, { do: 'open_round' }>['calls'] = [],
): Step {
  const pause = calls.length === 0 ? roundLimit(state, limits) : idleLimit(state);
  return pause ?? { do: 'open_round', origin, calls };
}

/** The longest plan has fewer calls and completions than this, so more rounds would lead nowhere. */
const idleLimit = ({ counters: { idleRounds = 0 } }: RunState): Step | null =>
  idleRounds < PATIENCE.idleRounds
    ? null
    : stalled(`${idleRounds} rounds in a row asked the model nothing`);

/** The rounds that the driver allows from one start on when no limit is set. */
export const usualRounds = ({ settings }: Pick<RunState, 'settings'>): number =>
  traitsOf(settings).maxRounds;

/** The pause at the limit of rounds that ask the model; `null` while another one is allowed. */
export function roundLimit({ settings, counters }: RunState, limits: Limits): Step | null {
  const { maxRounds = usualRounds({ settings }) } = limits;
  return counters.roundsSinceResume >= maxRounds
    ? {
        do: 'pause',
        why: 'limit_rounds',
        detail: `${maxRounds} ${maxRounds === 1 ? 'round was' : 'rounds were'} worked since the start`,
      }
    : null;
}
