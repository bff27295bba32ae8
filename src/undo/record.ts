/** One thing an undo is told. */
import type { FileChange } from '../schema/actions.ts';
import type { JournalRecord } from '../schema/records.ts';

/** Changes of files that only a damaged line tells. */
export interface Remnant {
  readonly type: 'remnant';
  readonly files: readonly FileChange[];
}

/** Files that only the damaged line of an outcome names. */
export interface Trace {
  readonly type: 'trace';
  readonly paths: readonly string[];
}

export type UndoRecord = JournalRecord | Remnant | Trace;
