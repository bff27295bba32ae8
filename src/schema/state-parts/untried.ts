/** Recognises a run that ended before everything was tried. Pure. */
import type { RunState } from '../state.ts';

/** Someone skipped the trials at its end: resuming the run makes the remaining ones. */
export const isLeftUntried = ({ ended, verdict }: Pick<RunState, 'ended' | 'verdict'>): boolean =>
  ended?.ending === 'unverified' && verdict?.untried !== undefined;

/** True if nothing is left to do. */
export const isFinished = (state: Pick<RunState, 'ended' | 'verdict'>): boolean =>
  state.ended !== null && !isLeftUntried(state);
