import type { RunState } from '../../../schema/state.ts';

/**
 * The fields that a record changes. Records that occur by the ten thousand fold to this instead of a copy of
 * the whole state; otherwise a long replay would spend most of its time copying.
 */
export type StateChanges = Partial<RunState>;
