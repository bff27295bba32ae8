/** Pure: a run that ended before all was tried. */
import type { RunState } from '../state.ts';

/** Somebody skipped the trials at its end: whoever goes on with it tries what is left. */
export const isLeftUntried = ({ ended, verdict }: Pick<RunState, 'ended' | 'verdict'>): boolean =>
  ended?.ending === 'unverified' && verdict?.untried !== undefined;

/** Nothing of it is left to do. */
export const isFinished = (state: Pick<RunState, 'ended' | 'verdict'>): boolean =>
  state.ended !== null && !isLeftUntried(state);
