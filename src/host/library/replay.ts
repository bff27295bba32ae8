/** Turns a journal back into the events that were sent when it was written. */
import { recordsIn, replayRecords } from '../../context-manager/read-records.ts';
import { RUN_FORMAT } from '../../context-manager/run-format.ts';
import { createBlobStore } from '../../journal/blobs/blobs.ts';
import { readBack } from '../../journal/blobs/offload.ts';
import { type Layout, usableLayout } from '../../journal/layout.ts';
import type { RecordFormat } from '../../journal/record-format.ts';
import { orNull } from '../../lib/or-null.ts';
import type { Machine } from '../../run/machine.ts';
import { narrateRecords } from '../../run/stream/narrator.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';
import type { JournalRecord } from '../../schema/records.ts';
import { layoutOfRun } from '../journals/run-place.ts';
import type { Where } from './place.ts';

/** Page by page; takes no lock and changes nothing. Ends at the first unreadable record. */
export function* replayed(where: Where, { fs }: Machine): Generator<StreamEvent> {
  const layout = layoutOfRun(fs, usableLayout(fs, fs.realpath(where.workspace)), where.run);
  yield* replayedFrom(layout, fs);
}

export const replayedFrom = (layout: Layout, fs: Machine['fs']): Generator<StreamEvent> =>
  narrateRecords(replayEvents(layout, fs, RUN_FORMAT));

/** The records of a journal as they were sent. */
export function replayEvents(
  { blobs, history }: Layout,
  fs: Machine['fs'],
  format: RecordFormat<JournalRecord>,
): ReturnType<typeof replayRecords> {
  const store = createBlobStore(fs, blobs);
  const textOf = (hash: string): string => Buffer.from(store.read(hash)).toString('utf8');
  // If a blob is lost, the record holds the beginning of the text.
  const wholeOf = (record: JournalRecord): JournalRecord =>
    orNull(() => readBack(record, textOf) as JournalRecord) ?? record;
  return replayRecords(recordsIn({ fs, file: history, format }, wholeOf));
}
