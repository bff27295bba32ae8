/** The journal under records of another kind: a conversation has no goal and no run. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { layoutOf, prepareLayout } from '../../src/journal/layout.ts';
import { readPage, readState } from '../../src/journal/read-journal.ts';
import type { RecordFormat } from '../../src/journal/record-format.ts';
import { createJournal, openJournal } from '../../src/journal/recover.ts';
import { verifyChain } from '../../src/journal/repair/verify.ts';
import { listJournalledRuns } from '../../src/journal/runs/runs.ts';
import { createMemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import type { StampedRecord } from '../../src/schema/journal/stamp.ts';
import { StoredText } from '../../src/schema/text.ts';

const Talk = z.discriminatedUnion('type', [
  z.object({ type: z.literal('talk_opened'), id: z.string(), at: z.number() }),
  z.object({ type: z.literal('said'), text: StoredText }),
]);
type Talk = z.infer<typeof Talk>;

const TALK: RecordFormat<Talk> = {
  newest: 1,
  firstType: 'talk_opened',
  parse: (value) => {
    const checked = Talk.safeParse(value);
    return checked.success
      ? { kind: 'record', record: value as StampedRecord<Talk> }
      : { kind: 'unknown', why: 'it is not of a talk' };
  },
  misfits: (stored) => Talk.safeParse(stored).error?.issues ?? [],
  header: (record) =>
    record.type === 'talk_opened'
      ? { id: record.id, format: 1, key: record.id, title: '', startedAt: record.at }
      : null,
  isPromise: () => false,
  ending: () => null,
};

function talk() {
  const fs = createMemoryFileSystem();
  fs.mkdir('/work');
  const layout = layoutOf('/work');
  prepareLayout(fs, layout);
  const fold = {
    schema: 1,
    reduce: (state: number | null, record: Talk) => (state ?? 0) + (record.type === 'said' ? 1 : 0),
  };
  return { fs, layout, clock: { now: () => 7 }, fold, format: TALK };
}

describe('records of another kind', () => {
  test('are journalled, offloaded, folded and read back', () => {
    const ports = talk();
    const { journal } = createJournal(ports, { type: 'talk_opened', id: 'a-talk', at: 5 });
    const long = 'a long word '.repeat(1000);
    journal.append({ type: 'said', text: 'hello' });
    const { offset } = journal.append({ type: 'said', text: long });
    journal.close();

    const opened = openJournal(ports);
    expect(opened).toMatchObject({ state: 2, quarantined: null });
    expect(opened?.journal.readBack(opened.journal.readAt(offset))).toMatchObject({ text: long });
    opened?.journal.close();
    expect(readState(ports)?.state).toBe(2);
    expect(readPage(ports, ports.layout.history).records.map(({ type }) => type)).toEqual([
      'talk_opened',
      'said',
      'said',
    ]);
    expect(verifyChain(ports)).toMatchObject({ records: 3, problem: '', badBlobs: [] });
    expect(listJournalledRuns(ports)).toMatchObject([
      { id: 'a-talk', records: 3, ended: null, problem: '' },
    ]);
  });

  test('begin with their own first record and with no other', () => {
    const ports = talk();
    expect(() => createJournal(ports, { type: 'said', text: 'hello' })).toThrow(
      'a journal begins with talk_opened',
    );
  });

  test('are refused where another kind is expected', () => {
    const ports = talk();
    createJournal(ports, { type: 'talk_opened', id: 'a-talk', at: 5 }).journal.close();
    const other = { ...TALK, header: () => null, firstType: 'run_opened' };
    expect(() => openJournal({ ...ports, format: other })).toThrow(
      'it does not begin with run_opened',
    );
  });
});
