/** Decides what follows when a prompt does not fit and cannot be shortened further. Pure. */
import { adviceIn, type RecoveryHint } from '../lib/errors.ts';
import { stepText } from '../prompts/subtask.ts';
import type { RunState } from '../schema/state.ts';
import { activeSubtask } from './select.ts';
import { PATIENCE, type Step } from './step.ts';

export interface Outlook {
  /** True when dropping the active subtask would shorten the prompt considerably. */
  readonly endingHelps: boolean;
  /** What a person can do. */
  readonly advice: RecoveryHint;
}

/**
 * Fails the subtask and replans the rest of the goal if a replan is left and its prompt may fit. Otherwise
 * pauses the run.
 */
export function overflowStep(state: RunState, { endingHelps, advice }: Outlook): Step {
  const window = state.settings?.numCtx ?? 0;
  const subtask = activeSubtask(state);
  if (subtask && endingHelps && state.counters.replans < PATIENCE.replans) {
    const why = `subtask ${subtask.id} does not fit into ${window} tokens: ${stepText(subtask)}`;
    return { do: 'replan', why };
  }
  const tried = `The conversation was shortened as far as it can be and still does not fit into ${window} tokens.`;
  const detail = [state.lastTurn?.detail, tried].filter(Boolean).join(' ');
  const hint = [state.lastTurn?.hint, advice.hint].filter(Boolean).join(' ');
  return { do: 'pause', why: 'context_overflow', detail, hint, ...adviceIn(advice) };
}
