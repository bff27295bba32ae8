import type { RunState } from '../schema/state.ts';
import { PATIENCE, type Step } from './step.ts';

/** Another plan while there is one left to try, else the honest end. */
export const replanOrFail = (state: RunState, why: string): Step =>
  state.counters.replans < PATIENCE.replans
    ? { do: 'replan', why }
    : { do: 'finish', ending: 'failed', detail: why };
