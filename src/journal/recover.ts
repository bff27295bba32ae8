/**
 * Opening a journal: what it says, checked, folded, and made durable before anybody acts on it.
 * Nothing on disk changes before the whole journal was read and found usable; after that, every
 * step may be cut off and is simply done again by the next start.
 */
import { dirname } from 'node:path';
import {
  discard,
  errorCode,
  kindOf,
  replaceFile,
  storageError,
  syncDirectory,
} from '../lib/durable-files.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { LocatedRecord, StampedRecord } from '../schema/stamp.ts';
import { type BlobStore, createBlobStore } from './blobs.ts';
import { CHAIN_START, encodeLine, formatChecksum, parseChecksum } from './framing.ts';
import { hashOfStart } from './hash-of-start.ts';
import {
  continueJournal,
  type Journal,
  type JournalPorts,
  type JournalPosition,
} from './journal.ts';
import type { Layout } from './layout.ts';
import { sweepTemporaries } from './layout.ts';
import { refuseStranger, refuseWhenLost } from './lost-journal.ts';
import { startBehind } from './pinned-state.ts';
import { quarantineRange } from './quarantine.ts';
import type { AnyRecord, JournalHeader, RecordFormat } from './record-format.ts';
import { FROM_START, type ScanEnd, type ScanStart, scanRecords, scanStartAt } from './scan.ts';
import { readSnapshot, type SnapshotReading, showsLoss } from './snapshot.ts';
import { internal, storedForm } from './stored-form.ts';
import { UnmarkedTail } from './unmarked-tail.ts';
import { addToChecksum, checksumOfRange, NO_BYTES } from './whole-checksum.ts';

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
  readonly position: JournalPosition;
}

export interface OpenedJournal<State, R extends AnyRecord> {
  readonly journal: Journal<R>;
  readonly state: State;
  readonly replayed: number;
  readonly fromSnapshot: boolean;
  /** A torn last line that was cut off, and where its bytes are now. */
  readonly quarantined: { readonly bytes: number; readonly file: string } | null;
}

const REPAIR_HINT = 'Run `agent repair`: it says what stays and what is lost before it does it.';

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

/**
 * Where reading goes on behind a snapshot: only if every byte of the journal up to there is the one
 * that the snapshot was made after. `null`: it is of no use, and the chain is walked from its start.
 */
export function placeBehind(
  fs: FileSystem,
  fd: number,
  { offset, size, seq, chain, crc }: JournalPosition,
): ScanStart | null {
  if (!(offset < size) || size > fs.size(fd)) return null;
  const start = scanStartAt(fs, fd, size, seq + 1);
  if (start === null || formatChecksum(start.previous) !== chain) return null;
  const found = checksumOfRange(fs, fd, { from: 0, to: size, seed: NO_BYTES });
  return formatChecksum(found) === crc ? start : null;
}

/** Folds an open journal. Throws E_JOURNAL_CORRUPT, E_TOO_NEW; changes nothing. */
export function replay<State, R extends AnyRecord>(
  ports: OpenPorts<State, R>,
  fd: number,
  reading: SnapshotReading<State>,
  blobs: BlobStore = createBlobStore(ports.fs, ports.layout.blobs),
): Replay<State> {
  const { fs, layout, fold, format } = ports;
  const { id: run } = readHeader(fs, fd, layout, format);
  const snapshot =
    reading.kind === 'ok' && reading.snapshot.run === run ? reading.snapshot : undefined;
  const behind = snapshot?.schema === fold.schema ? placeBehind(fs, fd, snapshot) : null;
  const usable = behind === null ? undefined : snapshot;
  let state: State | null = usable?.state ?? null;
  let replayed = 0;
  const readFrom = (start: ScanStart): ScanEnd => {
    const tail = new UnmarkedTail<R>((record) => {
      state = fold.reduce(state, record);
      replayed += 1;
    });
    const whole = scanRecords(fs, fd, start, format.parse, (record, offset, before) => {
      tail.add(record, offset, before);
      return false;
    });
    return tail.finish(whole, blobs.take);
  };
  let end = readFrom(behind ?? FROM_START);
  const bridged = end.tail === 'corrupt' ? startBehind<State, R>(ports, fd, end.end) : null;
  if (bridged !== null) {
    state = bridged.state;
    end = readFrom(bridged.start);
  }
  if (end.tail === 'unknown') throw tooNew(layout.history, `record at byte ${end.end}: ${end.why}`);
  if (end.tail === 'corrupt') throw corrupt(layout, end.end, end.why);
  if (snapshot && showsLoss(reading, { run, lastSeq: end.lastSeq })) {
    throw corrupt(
      layout,
      end.end,
      `it ends at record ${end.lastSeq}, but its snapshot has seen record ${snapshot.seq}`,
    );
  }
  if (state === null) throw corrupt(layout, 0, 'it holds no record');
  const position = positionAt(fs, fd, { run, end, usable });
  return { run, state, replayed, fromSnapshot: usable !== undefined, end, position };
}

/** The end of what was read: what the snapshot covers need not be summed up again. */
function positionAt(
  fs: FileSystem,
  fd: number,
  found: {
    readonly run: string;
    readonly end: ScanEnd;
    readonly usable: JournalPosition | undefined;
  },
): JournalPosition {
  const { run, end, usable } = found;
  const from = usable?.size ?? 0;
  const seed = usable ? (parseChecksum(usable.crc) ?? NO_BYTES) : NO_BYTES;
  return {
    run,
    seq: end.lastSeq,
    offset: end.lastOffset >= 0 ? end.lastOffset : (usable?.offset ?? 0),
    chain: formatChecksum(end.checksum),
    size: end.end,
    crc: formatChecksum(checksumOfRange(fs, fd, { from, to: end.end, seed })),
  };
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
    refuseStranger(fs, layout.history);
    fd = fs.open(layout.history, 'r+');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw storageError(error, `opening ${layout.history}`);
    refuseWhenLost(fs, layout);
    return null;
  }
  try {
    const reading = readSnapshot<State>(fs, layout);
    const blobs = createBlobStore(fs, layout.blobs);
    const found = replay(ports, fd, reading, blobs);
    ports.accept?.(found.state, (bytes) => hashOfStart(fs, fd, bytes));
    // What was read may only be in the page cache, the folders of the state included; nobody acts
    // on it before it is on the disk.
    syncDirectory(fs, layout.root);
    syncDirectory(fs, dirname(layout.root));
    const quarantined = cutTornTail(fs, layout, fd, found.end);
    sweepTemporaries(fs, layout);
    blobs.sync();
    fs.fsync(fd);
    const journal = continueJournal(ports, fd, found.position);
    const { state, replayed, fromSnapshot } = found;
    return { journal, state, replayed, fromSnapshot, quarantined };
  } catch (error) {
    fs.close(fd);
    throw storageError(error, `opening ${layout.history}`);
  }
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
  discard(fs, layout.setAside);
  replaceFile(fs, layout.history, line.bytes);
  syncDirectory(fs, dirname(layout.root));
  const fd = fs.open(layout.history, 'r+');
  const journal = continueJournal(ports, fd, {
    run: header.id,
    seq: 1,
    offset: 0,
    chain: formatChecksum(line.checksum),
    size: line.bytes.length,
    crc: formatChecksum(addToChecksum(NO_BYTES, line.bytes)),
  });
  const state = fold.reduce(null, { ...stamped, offset: 0 });
  return { journal, state, replayed: 0, fromSnapshot: false, quarantined: null };
}
