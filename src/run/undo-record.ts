/** One thing an undo is told. */
import type { FileChange } from '../schema/actions.ts';
import type { JournalRecord } from '../schema/records.ts';

/** Changes of files that only a damaged line tells. */
export interface Remnant {
  readonly type: 'remnant';
  readonly files: readonly FileChange[];
}

export type UndoRecord = JournalRecord | Remnant;
