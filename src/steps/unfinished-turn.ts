/** Handles a turn without a usable call: refuse it, nudge the model, or pause with a reason. */

import { defined } from '../lib/defined.ts';
import { adviceIn } from '../lib/errors.ts';
import type { TurnPurpose, TurnStatus } from '../schema/model/turn.ts';
import type { PauseReason } from '../schema/records.ts';
import type { LastTurn, RunState } from '../schema/state.ts';
import type { DrivingSteps } from './driver.ts';
import { replanOrFail } from './replan.ts';
import { PATIENCE, type Step } from './step.ts';

export function unfinishedTurnStep(state: RunState, driver: DrivingSteps): Step | null {
  const turn = state.lastTurn;
  if (!turn) return null;
  switch (turn.status.kind) {
    case 'success':
      return isPlanning(turn) ? null : unusableReply(state, turn, driver);
    case 'truncated':
      return isPlanning(turn) ? null : cutReply(state, turn, driver);
    case 'context_overflow':
      // A plan is a shorter answer than a plain try, so it may fit.
      if (turn.purpose === 'try') return { do: 'end_try', why: 'it does not fit into the window' };
      return {
        do: 'pause',
        why: 'context_overflow',
        detail: turn.detail,
        ...defined({ hint: turn.hint }),
        ...adviceIn(turn),
      };
    case 'aborted':
      return { do: 'pause', why: 'interrupted', detail: 'stopped while the model was working' };
    case 'invalid_response':
      return driver.fallBackStep(state) ?? unavailable(turn);
    default:
      return unavailable(turn);
  }
}

const unavailable = (turn: LastTurn): Step => ({
  do: 'pause',
  why: PAUSES[turn.status.kind] ?? 'provider_unavailable',
  detail: turn.detail,
  ...defined({ hint: turn.hint }),
  ...adviceIn(turn),
  status: turn.status,
});

/** Problems that the user must solve; all others may pass by themselves. */
const PAUSES: { readonly [Kind in TurnStatus['kind']]?: PauseReason } = {
  auth_failed: 'auth',
  quota_exceeded: 'quota',
  refused: 'refused',
  timeout: 'timeout',
};

const PLANNING: ReadonlySet<TurnPurpose> = new Set<TurnPurpose>(['brief', 'plan', 'replan', 'try']);

const isPlanning = (turn: LastTurn): boolean => PLANNING.has(turn.purpose);

function unusableReply(state: RunState, turn: LastTurn, driver: DrivingSteps): Step | null {
  if (turn.decoded === 'text') return driver.textStep(state);
  if (turn.decoded !== 'invalid') return null;
  if (turn.purpose === 'content') return cutReply(state, turn, driver);
  return tooManyInvalid(state)
    ? replanOrFail(state, `the model's answers could not be read: ${turn.error}`)
    : { do: 'refuse', fromSeq: turn.seq, why: turn.error };
}

function cutReply(state: RunState, turn: LastTurn, driver: DrivingSteps): Step {
  const content = driver.unusableContentStep(state);
  if (content) return content;
  return tooManyInvalid(state)
    ? replanOrFail(state, "the model's answers were cut off again and again")
    : {
        do: 'refuse',
        fromSeq: Number.MAX_SAFE_INTEGER,
        why: driver.cutReply(turn.detail),
      };
}

const tooManyInvalid = (state: RunState): boolean =>
  (state.active?.invalidReplies ?? 0) >= PATIENCE.invalidReplies;

/** Reminds the model of its tools; calls `spent` when patience is used up. */
export function nudgeStep(state: RunState, spent: (why: string) => Step): Step {
  const nudges = state.active?.nudges ?? 0;
  return nudges <= PATIENCE.nudges
    ? { do: 'nudge' }
    : spent(`the model answered ${nudges} times without a tool call`);
}

export const stalled = (why: string): Step => ({ do: 'pause', why: 'stalled', detail: why });
