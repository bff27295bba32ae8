import type { RunState } from '../schema/state.ts';
import { PATIENCE, type Step } from './step.ts';

/** Replans if a replan is left; otherwise the run fails with the reason. */
export const replanOrFail = (state: RunState, why: string): Step =>
  state.counters.replans < PATIENCE.replans
    ? { do: 'replan', why }
    : { do: 'finish', ending: 'failed', detail: why };
