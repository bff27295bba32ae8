import { openingOf } from '../../src/context-manager/open-or-create.ts';
import { RUN_FORMAT } from '../../src/context-manager/run-format.ts';
import { layoutOf, prepareLayout } from '../../src/journal/layout.ts';
import { createJournal, openJournal } from '../../src/journal/recover.ts';
import type { RepairRecords } from '../../src/journal/repair/contract.ts';
import type { Fold } from '../../src/journal/replay.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { createMemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import type { JournalRecord, Located } from '../../src/schema/records.ts';

export const LAYOUT = layoutOf('/work');

/** A fold that keeps every record: what was folded can be looked at. */
export const keepAll: Fold<readonly Located[], JournalRecord> = {
  schema: 1,
  reduce: (state, record) => [...(state ?? []), record],
};

const REPAIR: RepairRecords<readonly Located[], JournalRecord> = {
  opening: ([first]) => {
    const { seq: _seq, durable: _durable, offset: _offset, ts, ...record } = first as Located;
    return { record: record as JournalRecord, ts };
  },
  unreadable: (_state, spans, state) => [
    { type: 'bytes_unreadable', optional: true, spans: [...spans], state },
  ],
  setAside: (part) => ({ type: 'bytes_set_aside', optional: true, ...part }),
  blobsIn: () => [],
};

/** A workspace in memory, prepared, with a clock that ticks once a look. */
export function journalMachine(fs: FileSystem = createMemoryFileSystem()) {
  let now = 1_000;
  const clock = { now: () => now++ };
  if (!fs.readdir('/').includes('work')) fs.mkdir('/work');
  prepareLayout(fs, LAYOUT);
  const ports = { fs, layout: LAYOUT, clock, fold: keepAll, format: RUN_FORMAT, records: REPAIR };
  return {
    ...ports,
    create: (goal = 'a goal') => createJournal(ports, openingOf(goal, clock.now())),
    open: () => {
      const opened = openJournal(ports);
      if (opened === null) throw new Error('there is no journal');
      return opened;
    },
    openIfAny: () => openJournal(ports),
  };
}

export const note = (text: string): JournalRecord => ({
  type: 'note',
  kind: 'test',
  data: { text },
});
