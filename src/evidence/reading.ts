/** Reads the records of a run. A long journal does not fit into memory, so its records pass by. */

import type { Interruptible } from '../lib/interruptible.ts';
import type { JournalRecord } from '../schema/records.ts';

export type Records = () => Iterable<JournalRecord>;

/** Takes every record of a run, oldest first, and then says what they show. */
export interface RecordsReader<Result> {
  take(record: JournalRecord): void;
  result(): Result;
}

const RECORDS_IN_PIECE = 100;

/** Passes every record to `take`, oldest first. A long run takes seconds, so it can be interrupted. */
export function* eachOf(
  records: Records,
  take: (record: JournalRecord) => void,
): Interruptible<void> {
  let count = 0;
  for (const record of records()) {
    take(record);
    count += 1;
    if (count % RECORDS_IN_PIECE === 0) yield;
  }
}
