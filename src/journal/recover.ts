/**
 * Opening a journal: what it says, checked, folded, and made durable before anybody acts on it.
 * Nothing on disk changes before the whole journal was read and found usable; after that, every
 * step may be cut off and is simply done again by the next start.
 */
import { dirname } from 'node:path';
import {
  errorCode,
  kindOf,
  replaceFile,
  storageError,
  syncDirectory,
} from '../lib/durable-files.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { LocatedRecord, StampedRecord } from '../schema/stamp.ts';
import { createBlobStore } from './blobs.ts';
import { CHAIN_START, encodeLine, formatChecksum } from './framing.ts';
import { journalOfRun } from './goal-id.ts';
import { hashOfStart } from './hash-of-start.ts';
import { continueJournal, type Journal, type JournalPorts } from './journal.ts';
import type { Layout } from './layout.ts';
import { sweepTemporaries } from './layout.ts';
import { quarantineFile, quarantineRange } from './quarantine.ts';
import type { AnyRecord, JournalHeader, RecordFormat } from './record-format.ts';
import { FROM_START, type ScanEnd, scanRecords, scanStartAt } from './scan.ts';
import { readSnapshot, type Snapshot, type SnapshotReading } from './snapshot.ts';
import { internal, storedForm } from './stored-form.ts';

/** A pure fold and the version of the state it makes. */
export interface Fold<State, R extends AnyRecord = AnyRecord> {
  readonly schema: number;
  /** `null` before the first record. */
  reduce(state: State | null, record: LocatedRecord<R>): State;
}

export interface OpenPorts<State, R extends AnyRecord> extends JournalPorts<R> {
  readonly fold: Fold<State, R>;
  /** Throws where nobody may go on with this state; nothing was changed by then. */
  readonly accept?: (state: State, hashOf: (bytes: number) => string) => void;
}

/** What reading the current journal gave, without having changed anything. */
export interface Replay<State> {
  readonly run: string;
  readonly state: State;
  /** Records that were read and folded; with a snapshot only those behind it. */
  readonly replayed: number;
  readonly fromSnapshot: boolean;
  readonly end: ScanEnd;
}

export interface OpenedJournal<State, R extends AnyRecord> {
  readonly journal: Journal<R>;
  readonly state: State;
  readonly replayed: number;
  readonly fromSnapshot: boolean;
  /** A torn last line that was cut off, and where its bytes are now. */
  readonly quarantined: { readonly bytes: number; readonly file: string } | null;
}

const REPAIR_HINT = 'Run `agent repair` to keep the good part and set the rest aside.';

export const corrupt = (layout: Layout, offset: number, why: string): TardigradeError =>
  new TardigradeError(
    'E_JOURNAL_CORRUPT',
    `${layout.history} is damaged at byte ${offset}: ${why}. Nothing was changed.`,
    REPAIR_HINT,
  );

export const tooNew = (path: string, why: string): TardigradeError =>
  new TardigradeError(
    'E_TOO_NEW',
    `${path} was written by a newer version of agent: ${why}. Nothing was changed.`,
    'Update agent, then run the same command again.',
  );

/** The first record of a journal, checked. Throws E_JOURNAL_CORRUPT, E_TOO_NEW. */
export function readHeader<R extends AnyRecord>(
  fs: FileSystem,
  fd: number,
  layout: Layout,
  format: RecordFormat<R>,
): JournalHeader {
  const found: R[] = [];
  const end = scanRecords(fs, fd, FROM_START, format.parse, (record) => {
    found.push(record);
    return true;
  });
  const [first] = found;
  if (end.tail === 'unknown') throw tooNew(layout.history, end.why);
  if (first === undefined) throw corrupt(layout, 0, end.why || 'it is empty');
  const header = format.header(first);
  if (header === null) throw corrupt(layout, 0, `it does not begin with ${format.firstType}`);
  if (header.format > format.newest) {
    throw tooNew(layout.history, `format ${header.format}, this one knows ${format.newest}`);
  }
  return header;
}

/** The snapshot, if it is of this run and shape and its record is in the journal as it says. */
function usableSnapshot<State, R extends AnyRecord>(
  fs: FileSystem,
  fd: number,
  snapshot: Snapshot<State>,
  { parse }: RecordFormat<R>,
): boolean {
  const start = scanStartAt(fs, fd, snapshot.offset, snapshot.seq);
  if (start === null) return false;
  let agrees = false;
  scanRecords(fs, fd, start, parse, (_record, _offset, checksum) => {
    agrees = formatChecksum(checksum) === snapshot.chain;
    return true;
  });
  return agrees;
}

/** Folds an open journal. Throws E_JOURNAL_CORRUPT, E_TOO_NEW; changes nothing. */
export function replay<State, R extends AnyRecord>(
  ports: OpenPorts<State, R>,
  fd: number,
  reading: SnapshotReading<State>,
): Replay<State> {
  const { fs, layout, fold, format } = ports;
  const { id: run } = readHeader(fs, fd, layout, format);
  const snapshot =
    reading.kind === 'ok' && reading.snapshot.run === run ? reading.snapshot : undefined;
  const usable =
    snapshot !== undefined &&
    snapshot.schema === fold.schema &&
    usableSnapshot(fs, fd, snapshot, format);
  const begin = usable ? scanStartAt(fs, fd, snapshot.offset, snapshot.seq) : FROM_START;
  let state: State | null = usable ? snapshot.state : null;
  let replayed = 0;
  const end = scanRecords(fs, fd, begin ?? FROM_START, format.parse, (record, offset) => {
    if (usable && record.seq <= snapshot.seq) return false;
    state = fold.reduce(state, { ...record, offset });
    replayed += 1;
    return false;
  });
  if (end.tail === 'unknown') throw tooNew(layout.history, `record at byte ${end.end}: ${end.why}`);
  if (end.tail === 'corrupt') throw corrupt(layout, end.end, end.why);
  // The snapshot was written after its record was durable, so a shorter journal has lost records.
  if (snapshot !== undefined && end.lastSeq < snapshot.seq) {
    throw corrupt(
      layout,
      end.end,
      `it ends at record ${end.lastSeq}, but its snapshot has seen record ${snapshot.seq}`,
    );
  }
  if (state === null) throw corrupt(layout, 0, 'it holds no record');
  return { run, state, replayed, fromSnapshot: usable, end };
}

/**
 * Opens the current journal for going on. `null` when there is none; the caller holds the lock.
 * Throws E_JOURNAL_MISSING, E_JOURNAL_CORRUPT, E_TOO_NEW, E_DISK_FULL, E_IO.
 */
export function openJournal<State, R extends AnyRecord>(
  ports: OpenPorts<State, R>,
): OpenedJournal<State, R> | null {
  const { fs, layout } = ports;
  let fd: number;
  try {
    fd = fs.open(layout.history, 'r+');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw storageError(error, `opening ${layout.history}`);
    refuseWhenLost(fs, layout);
    return null;
  }
  try {
    const reading = readSnapshot<State>(fs, layout);
    const found = replay(ports, fd, reading);
    ports.accept?.(found.state, (bytes) => hashOfStart(fs, fd, bytes));
    const quarantined = cutTornTail(fs, layout, fd, found.end);
    if (reading.kind === 'damaged') quarantineFile(fs, layout.quarantine, layout.state);
    sweepTemporaries(fs, layout);
    // What was read may only be in the page cache; nobody acts on it before it is on the disk.
    fs.fsync(fd);
    syncDirectory(fs, layout.root);
    const journal = continueJournal(ports, fd, {
      run: found.run,
      seq: found.end.lastSeq,
      offset: found.end.lastOffset,
      chain: formatChecksum(found.end.checksum),
      size: found.end.end,
    });
    const { state, replayed, fromSnapshot } = found;
    return { journal, state, replayed, fromSnapshot, quarantined };
  } catch (error) {
    fs.close(fd);
    throw storageError(error, `opening ${layout.history}`);
  }
}

/** State without a journal is fine only while goals are being switched. */
export function refuseWhenLost(fs: FileSystem, layout: Layout): void {
  try {
    const reading = readSnapshot(fs, layout);
    if (reading.kind === 'absent') return;
    const isStored =
      reading.kind === 'ok'
        ? kindOf(fs, journalOfRun(layout, reading.snapshot.run)) === 'file'
        : kindOf(fs, layout.runs) === 'directory' && fs.readdir(layout.runs).length > 0;
    if (isStored) return;
  } catch (error) {
    throw storageError(error, `reading ${layout.root}`);
  }
  throw new TardigradeError(
    'E_JOURNAL_MISSING',
    `${layout.state} is there, but its journal ${layout.history} is missing.`,
    'Put history.jsonl back; or move state.json away to start over.',
  );
}

function cutTornTail(
  fs: FileSystem,
  layout: Layout,
  fd: number,
  end: ScanEnd,
): OpenedJournal<unknown, AnyRecord>['quarantined'] {
  if (end.tail !== 'torn') return null;
  const bytes = fs.size(fd) - end.end;
  const file = quarantineRange(fs, layout.quarantine, fd, end.end, 'history.jsonl');
  fs.ftruncate(fd, end.end);
  fs.fdatasync(fd);
  return { bytes, file };
}

/**
 * Starts a new journal with its first record. There must be no current one. The record appears with
 * the file itself, so a journal is never empty. Throws E_DISK_FULL, E_IO.
 */
export function createJournal<State, R extends AnyRecord>(
  ports: OpenPorts<State, R>,
  first: R,
): OpenedJournal<State, R> {
  try {
    return beginJournal(ports, first);
  } catch (error) {
    throw storageError(error, `creating ${ports.layout.history}`);
  }
}

function beginJournal<State, R extends AnyRecord>(
  ports: OpenPorts<State, R>,
  first: R,
): OpenedJournal<State, R> {
  const { fs, layout, fold, format } = ports;
  const header = format.header(first);
  if (header === null) throw internal(`a journal begins with ${format.firstType}`);
  if (kindOf(fs, layout.history) !== null) throw internal(`${layout.history} exists already`);
  const { stored } = storedForm(first, format, createBlobStore(fs, layout.blobs));
  const stamped: StampedRecord<R> = { seq: 1, ts: header.startedAt, durable: 0, ...stored };
  const line = encodeLine(stamped, CHAIN_START);
  replaceFile(fs, layout.history, line.bytes);
  syncDirectory(fs, dirname(layout.root));
  const fd = fs.open(layout.history, 'r+');
  const journal = continueJournal(ports, fd, {
    run: header.id,
    seq: 1,
    offset: 0,
    chain: formatChecksum(line.checksum),
    size: line.bytes.length,
  });
  const state = fold.reduce(null, { ...stamped, offset: 0 });
  return { journal, state, replayed: 0, fromSnapshot: false, quarantined: null };
}
