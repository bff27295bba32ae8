import type { RunState } from '../schema/state.ts';
import { PATIENCE, type Step } from './step.ts';

/**
 * Replans if a replan is left; otherwise the run fails with the reason. A child fails at once: its subtask is then
 * done in the parent run, with the whole folder.
 */
export const replanOrFail = (state: RunState, why: string): Step =>
  state.child === undefined && state.counters.replans < PATIENCE.replans
    ? { do: 'replan', why }
    : { do: 'finish', ending: 'failed', detail: why };
