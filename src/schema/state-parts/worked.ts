import type { RunState } from '../state.ts';

/** Milliseconds of work by all processes that worked on a run, one after the other. */
export const workedInAll = ({
  workedMs,
  workedBefore = 0,
}: Pick<RunState, 'workedMs' | 'workedBefore'>): number => workedBefore + workedMs;
