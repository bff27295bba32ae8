/** Pure: a run that ended before all was tried. */
import type { RunState } from '../state.ts';

/** Somebody skipped the trials at its end: whoever goes on with it tries what is left. */
export const isLeftUntried = ({ ended, weighed }: Pick<RunState, 'ended' | 'weighed'>): boolean =>
  ended?.ending === 'unverified' && weighed?.untried !== undefined;

/** Nothing of it is left to do. */
export const isFinished = (state: Pick<RunState, 'ended' | 'weighed'>): boolean =>
  state.ended !== null && !isLeftUntried(state);
