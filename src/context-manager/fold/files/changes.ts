import type { RunState } from '../../../schema/state.ts';

/**
 * What a record makes different. Records that come by the ten thousand fold to this instead of to
 * a copy of the whole state: most of the time of a long replay would be copying.
 */
export type Changes = Partial<RunState>;
