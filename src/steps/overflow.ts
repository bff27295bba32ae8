/** What follows when a prompt does not fit and nothing is left to shorten in it; pure. */
import { adviceIn, type NextStep } from '../lib/errors.ts';
import { stepText } from '../prompts/subtask.ts';
import type { RunState } from '../schema/state.ts';
import { activeSubtask } from './select.ts';
import { PATIENCE, type Step } from './step.ts';

export interface Outlook {
  /** Without what belongs to the active subtask the prompt would be a good deal shorter. */
  readonly endingHelps: boolean;
  /** What a person can do. */
  readonly advice: NextStep;
}

/**
 * The subtask ends as failed and what is left of the goal is planned another way, while there is a
 * plan left to try and its prompt has a chance to fit; else the run pauses where it stands.
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
