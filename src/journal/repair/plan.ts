/** Determines what a repair would do, without changing anything. */

import { TardigradeError } from '../../lib/errors.ts';
import { fileKindAt, readRange } from '../../lib/files/durable-files.ts';
import { withFile } from '../../lib/files/with-file.ts';
import { isUtf16 } from '../conversions.ts';
import type { Layout } from '../layout.ts';
import { formatChecksum } from '../lines/framing.ts';
import { FROM_START, type ScanEnd, scanRecords } from '../lines/scan.ts';
import type { AnyRecord, JournalHeader, UnreadableSpan } from '../record-format.ts';
import { type Fold, tooNew } from '../replay.ts';
import { journalOfRun } from '../runs/goal-id.ts';
import { displacedBy, headerThere } from '../runs/other-run.ts';
import { readSnapshot, type Snapshot, type SnapshotReading } from '../snapshot.ts';
import { tracesOfLost } from '../traces.ts';
import { decideRepair } from './bridge.ts';
import type { JournalReading, RepairPlace, RepairWork, SnapshotState } from './contract.ts';
import { readPinned } from './pinned-state.ts';
import { type RepairedJournal, readDamaged } from './read-damaged.ts';
import { repairedBytes } from './repaired-bytes.ts';

/**
 * `null` if there is neither a journal nor a sign that there was one. Throws E_TOO_NEW, E_JOURNAL_CORRUPT for
 * damage that only a person can repair, E_IO.
 */
export function planRepair<State, R extends AnyRecord>(
  place: RepairPlace<State, R>,
): RepairWork<State> | null {
  const { fs, layout } = place;
  const kind = fileKindAt(fs, layout.history);
  const other = otherRun(place);
  if (other !== null)
    return decideRepair(place, { ...nothingToRead(place, 'that of another run'), other });
  if (kind === 'file') {
    return withFile(fs, layout.history, (fd) => {
      refuseUtf16(readRange(fs, fd, 0, 4), layout);
      return decideRepair(place, readAll(place, fd));
    });
  }
  if (kind === null && tracesOfLost(fs, layout).length === 0) return null;
  return decideRepair(place, nothingToRead(place, kind === null ? 'missing' : 'not a file'));
}

function otherRun<State, R extends AnyRecord>(place: RepairPlace<State, R>): JournalHeader | null {
  const { fs, layout } = place;
  const header = headerThere(place);
  if (header === null) return null;
  return displacedBy(fs, layout, header.id, readSnapshot(fs, layout)) === null ? null : header;
}

function refuseUtf16(head: Buffer, { history }: Layout): void {
  if (!isUtf16(head)) return;
  throw new TardigradeError(
    'E_JOURNAL_CORRUPT',
    `${history} was saved as UTF-16, as some editors do. Nothing was changed.`,
    'Save it as UTF-8 again, then repair the run',
    { command: ['repair'] },
  );
}

const ITS_OWN = { strange: '', other: null } as const;

function readAll<State, R extends AnyRecord>(
  place: RepairPlace<State, R>,
  fd: number,
): JournalReading<State> {
  const { fs, layout, format, fold } = place;
  const snapshot = readSnapshot<State>(fs, layout);
  const shaped = ofShape(snapshot, fold.schema);
  let run: string | null = null;
  let seen: SnapshotState<State> | null = null;
  const known: UnreadableSpan[] = [];
  const torn = tornEnd(place, fd);
  if (torn !== null) {
    const bytes = repairedBytes();
    bytes.keep(0, torn.end);
    const usable = shaped?.run === torn.run ? shaped : null;
    const mended: RepairedJournal = {
      bytes,
      flaws: new Map(),
      gaps: [],
      tail: 'torn',
      why: torn.why,
      tornAt: torn.end,
      records: torn.lastSeq,
      lastSeq: torn.lastSeq,
      lastOffset: torn.lastOffset,
      checksum: torn.checksum,
    };
    const size = fs.size(fd);
    return { mended, size, run: torn.run, known, snapshot, usable, seen, ...ITS_OWN };
  }
  const mended = readDamaged(fs, fd, format, (record, at) => {
    if (record.seq === 1) run = format.header(record)?.id ?? null;
    const bridge = format.bridge?.(record) ?? null;
    // Without a state to continue from, the findings of an earlier repair do not help.
    if (bridge !== null && (shaped !== null || readPinned(place, bridge) !== null))
      known.push(...bridge.spans);
    seen = shaped && seenAfter(seen, shaped, { ...record, ...at }, fold);
  });
  if (mended.tail === 'unknown') throw tooNew(layout.history, mended.why);
  const isOurs = shaped !== null && (run === null ? seen !== null : shaped.run === run);
  const usable = isOurs || isOfEmpty(place, mended, shaped) ? shaped : null;
  const size = fs.size(fd);
  return { mended, size, run, known, snapshot, usable, seen, ...ITS_OWN };
}

/** A good journal whose last records were never durable: a start cuts them off anyway. */
function tornEnd<State, R extends AnyRecord>(
  { fs, format }: RepairPlace<State, R>,
  fd: number,
): (ScanEnd & { readonly run: string | null }) | null {
  let run: string | null = null;
  const end = scanRecords(fs, fd, FROM_START, format.parse, (record) => {
    if (record.seq === 1) run = format.header(record)?.id ?? null;
    return false;
  });
  return end.tail === 'torn' && end.lastSeq > 0 ? { ...end, run } : null;
}

/** A snapshot without any record belongs to this journal if its own journal is nowhere else. */
const isOfEmpty = <State, R extends AnyRecord>(
  { fs, layout }: RepairPlace<State, R>,
  { records }: RepairedJournal,
  snapshot: Snapshot<State> | null,
): boolean =>
  snapshot !== null && records === 0 && fileKindAt(fs, journalOfRun(layout, snapshot.run)) === null;

const ofShape = <State>(reading: SnapshotReading<State>, schema: number): Snapshot<State> | null =>
  reading.kind === 'ok' && reading.snapshot.schema === schema ? reading.snapshot : null;

type Placed<R> = R & {
  readonly seq: number;
  readonly ts: number;
  readonly durable?: number;
  readonly offset: number;
  readonly checksum: number;
  readonly previous: number;
};

/** The snapshot matches its own record, or the record after it, which contains its checksum too. */
function seenAfter<State, R extends AnyRecord>(
  seen: SnapshotState<State> | null,
  snapshot: Snapshot<State>,
  { checksum, previous, ...record }: Placed<R>,
  fold: Fold<State, R>,
): SnapshotState<State> | null {
  if (record.seq === snapshot.seq && formatChecksum(checksum) === snapshot.chain)
    return { shift: snapshot.offset - record.offset, seq: record.seq, state: snapshot.state };
  const isNext = record.seq === snapshot.seq + 1 && formatChecksum(previous) === snapshot.chain;
  const before = seen ?? (isNext ? { shift: 0, seq: snapshot.seq, state: snapshot.state } : null);
  if (before === null || record.seq !== before.seq + 1) return seen;
  const located = { ...record, offset: record.offset + before.shift } as never;
  return { ...before, seq: record.seq, state: fold.reduce(before.state, located) };
}

function nothingToRead<State, R extends AnyRecord>(
  { fs, layout, fold }: RepairPlace<State, R>,
  strange: string,
): JournalReading<State> {
  const mended: RepairedJournal = {
    bytes: repairedBytes(),
    flaws: new Map(),
    gaps: [],
    tail: 'clean',
    why: '',
    records: 0,
    lastSeq: 0,
    lastOffset: -1,
    checksum: 0,
  };
  const snapshot = readSnapshot<State>(fs, layout);
  const usable = ofShape(snapshot, fold.schema);
  return {
    mended,
    size: 0,
    run: null,
    known: [],
    snapshot,
    usable,
    seen: null,
    strange,
    other: null,
  };
}
