/** What a journal tells, as the events that were told when it was written. */
import { RUN_FOLD } from '../../context-manager/open-or-create.ts';
import { RUN_FORMAT } from '../../context-manager/run-format.ts';
import { createBlobStore } from '../../journal/blobs.ts';
import { type Layout, usableLayout } from '../../journal/layout.ts';
import { readBack } from '../../journal/offload.ts';
import { JOURNAL_BEGIN, readPage } from '../../journal/read-journal.ts';
import type { Machine } from '../../run/machine.ts';
import { narrateRecords } from '../../run/stream/narrator.ts';
import type { RunEvent } from '../../schema/events.ts';
import type { JournalRecord } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import type { StreamEvent } from '../../schema/stream.ts';
import { layoutOfRun } from '../run-place.ts';
import type { Where } from './place.ts';

/** Page by page; takes no lock and changes nothing. What cannot be read ends it. */
export function* replayed(where: Where, { fs }: Machine): Generator<StreamEvent> {
  const layout = layoutOfRun(fs, usableLayout(fs, fs.realpath(where.workspace)), where.run);
  yield* replayedFrom(layout, fs);
}

export function replayedFrom(layout: Layout, fs: Machine['fs']): Generator<StreamEvent> {
  return narrateRecords(recordsIn(layout, fs));
}

function* recordsIn(
  layout: Layout,
  fs: Machine['fs'],
): Generator<Extract<RunEvent, { type: 'record' }>> {
  const blobs = createBlobStore(fs, layout.blobs);
  const textOf = (hash: string): string => Buffer.from(blobs.read(hash)).toString('utf8');
  const wholeOf = (record: JournalRecord): JournalRecord => {
    try {
      return readBack(record, textOf) as JournalRecord;
    } catch {
      // A text that is gone with its disk: its beginning stands in the record.
      return record;
    }
  };
  let state: RunState | null = null;
  let cursor = JOURNAL_BEGIN;
  for (;;) {
    const page = readPage<JournalRecord>({ fs, format: RUN_FORMAT }, layout.history, cursor);
    for (const record of page.records) {
      state = RUN_FOLD.reduce(state, record);
      yield { type: 'record', record, state, whole: wholeOf(record) };
    }
    if (page.isEnd) return;
    cursor = page.next;
  }
}
