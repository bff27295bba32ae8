/** Reads the journal of a run or conversation record by record. It takes no lock and changes nothing. */

import { pagesOf } from '../journal/read-journal.ts';
import type { RecordFormat } from '../journal/record-format.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import type { RunEvent } from '../schema/events/events.ts';
import type { JournalRecord, Located } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import { RUN_FOLD } from './open-or-create.ts';

/** A record as it is stored, and with its long texts. */
export interface ReadRecord {
  readonly stored: Located;
  readonly record: Located;
}

/** Where reading ended; `problem` is empty at the regular end. */
export interface ReadEnd {
  readonly offset: number;
  readonly problem: string;
}

export function* recordsIn(
  { file, ...at }: { fs: FileSystem; file: string; format: RecordFormat<JournalRecord> },
  readBack: (stored: Located) => unknown,
): Generator<ReadRecord, ReadEnd> {
  let end: ReadEnd = { offset: 0, problem: '' };
  for (const { records, next, problem } of pagesOf(at, file)) {
    for (const stored of records) yield { stored, record: readBack(stored) as Located };
    end = { offset: next.offset, problem };
  }
  return end;
}

type ReplayedRecord = Extract<RunEvent, { readonly type: 'record' }> & { readonly whole: Located };

/** The same records as events, as they were when they were written. */
export function* replayRecords(records: Iterable<ReadRecord>): Generator<ReplayedRecord> {
  let state: RunState | null = null;
  for (const { stored, record: whole } of records) {
    state = RUN_FOLD.reduce(state, stored);
    yield { type: 'record', record: stored, state, whole };
  }
}
