/** Checks and folds what a journal says, without changing anything. */
import { TardigradeError } from '../lib/errors.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { type Interruptible, runSync } from '../lib/interruptible.ts';
import type { LocatedRecord } from '../schema/journal/stamp.ts';
import { type BlobStore, createBlobStore } from './blobs/blobs.ts';
import type { JournalPorts } from './journal.ts';
import type { Layout } from './layout.ts';
import { formatChecksum, parseChecksum } from './lines/framing.ts';
import {
  FROM_START,
  type ScanEnd,
  type ScanStart,
  scanFirst,
  scanning,
  scanStartAt,
} from './lines/scan.ts';
import { UnmarkedTail } from './lines/unmarked-tail.ts';
import { NO_BYTES, summingUp } from './lines/whole-checksum.ts';
import type { JournalPosition } from './position.ts';
import type { AnyRecord, JournalHeader, RecordFormat } from './record-format.ts';
import { isSession, LOST_SESSION, repairHint } from './repair/hint.ts';
import { startBehind } from './repair/pinned-state.ts';
import { refuseOtherRun } from './runs/other-run.ts';
import { type SnapshotReading, showsLoss } from './snapshot.ts';

/** A pure fold, and the version of the state that it builds. */
export interface Fold<State, R extends AnyRecord = AnyRecord> {
  readonly schema: number;
  /**
   * @param state `null` before the first record
   * @param isOwn true if the caller is the only owner of the state, which may then be changed in place
   */
  reduce(state: State | null, record: LocatedRecord<R>, isOwn?: boolean): State;
}

export interface OpenPorts<State, R extends AnyRecord> extends JournalPorts<R> {
  readonly fold: Fold<State, R>;
  /** Throws if nobody may continue with this state; nothing has been changed by then. */
  readonly accept?: (state: State, hashOf: (bytes: number) => string) => void;
}

/** The result of reading the current journal without changing anything. */
export interface Replay<State> {
  readonly state: State;
  /** Records that were read and folded; with a snapshot, only those after it. */
  readonly replayed: number;
  readonly end: ScanEnd;
  readonly position: JournalPosition;
}

const REPAIR_HINT = 'Repair it; what stays and what is lost is said first.';

export const corrupt = (layout: Layout, offset: number, why: string): TardigradeError =>
  new TardigradeError(
    'E_JOURNAL_CORRUPT',
    `${layout.history} is damaged at byte ${offset}: ${why}. It was left as it is.`,
    ...(offset === 0 && isSession(layout) ? LOST_SESSION : repairHint(layout, REPAIR_HINT)),
  );

export const tooNew = (path: string, why: string): TardigradeError =>
  new TardigradeError(
    'E_TOO_NEW',
    `${path} was written by a newer version: ${why}. Nothing was changed.`,
    'Update the program, then run the same command again.',
  );

/** The first record of a journal, checked. Throws E_JOURNAL_CORRUPT, E_TOO_NEW. */
export function readHeader<R extends AnyRecord>(
  fs: FileSystem,
  fd: number,
  layout: Layout,
  format: RecordFormat<R>,
): JournalHeader {
  const { first, end } = scanFirst(fs, fd, format.parse);
  if (end.tail === 'unknown') throw tooNew(layout.history, end.why);
  if (first === null) throw corrupt(layout, 0, end.why || 'it is empty');
  const header = format.header(first);
  if (header === null) throw corrupt(layout, 0, `it does not begin with ${format.firstType}`);
  if (header.format > format.newest)
    throw tooNew(layout.history, `format ${header.format}, this one knows ${format.newest}`);
  return header;
}

/**
 * Where reading continues after a snapshot, if every byte of the journal up to there is the one that the
 * snapshot was made from. `null`: the snapshot cannot be used, and the chain is read from its start.
 */
function* placeBehind(
  fs: FileSystem,
  fd: number,
  { offset, size, seq, chain, crc }: JournalPosition,
): Interruptible<ScanStart | null> {
  if (!(offset < size) || size > fs.size(fd)) return null;
  const start = scanStartAt(fs, fd, size, seq + 1);
  if (start === null || formatChecksum(start.previous) !== chain) return null;
  const found = yield* summingUp(fs, fd, { from: 0, to: size, seed: NO_BYTES });
  return formatChecksum(found) === crc ? start : null;
}

/** Folds an open journal. Throws E_JOURNAL_CORRUPT, E_TOO_NEW; changes nothing. */
export const replay = <State, R extends AnyRecord>(
  ports: OpenPorts<State, R>,
  fd: number,
  reading: SnapshotReading<State>,
): Replay<State> => runSync(replaying(ports, fd, reading));

/** The same in interruptible pieces, because a long journal takes seconds. */
export function* replaying<State, R extends AnyRecord>(
  ports: OpenPorts<State, R>,
  fd: number,
  reading: SnapshotReading<State>,
  blobs: BlobStore = createBlobStore(ports.fs, ports.layout.blobs),
): Interruptible<Replay<State>> {
  const { fs, layout, fold, format } = ports;
  const header = readHeader(fs, fd, layout, format);
  refuseOtherRun(ports, header, reading);
  const { id: run } = header;
  const snapshot =
    reading.kind === 'ok' && reading.snapshot.run === run ? reading.snapshot : undefined;
  const behind = snapshot?.schema === fold.schema ? yield* placeBehind(fs, fd, snapshot) : null;
  const usable = behind === null ? undefined : snapshot;
  let state: State | null = usable?.state ?? null;
  let replayed = 0;
  const readFrom = function* (start: ScanStart): Interruptible<ScanEnd> {
    const first = state;
    const tail = new UnmarkedTail<R>((record) => {
      state = fold.reduce(state, record, state !== first);
      replayed += 1;
    });
    const whole = yield* scanning(fs, fd, start, format.parse, (record, offset, before) => {
      tail.add(record, offset, before);
      return false;
    });
    return tail.finish(whole, blobs.take);
  };
  let end = yield* readFrom(behind ?? FROM_START);
  const bridged = end.tail === 'corrupt' ? startBehind<State, R>(ports, fd, end.end) : null;
  if (bridged !== null) {
    state = bridged.state;
    end = yield* readFrom(bridged.start);
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
  const position = yield* positionAt(fs, fd, { run, end, usable });
  return { state, replayed, end, position };
}

/** The position of the last record read. Bytes that the snapshot covers are not summed again. */
function* positionAt(
  fs: FileSystem,
  fd: number,
  found: {
    readonly run: string;
    readonly end: ScanEnd;
    readonly usable: JournalPosition | undefined;
  },
): Interruptible<JournalPosition> {
  const { run, end, usable } = found;
  const from = usable?.size ?? 0;
  const seed = usable ? (parseChecksum(usable.crc) ?? NO_BYTES) : NO_BYTES;
  const crc = yield* summingUp(fs, fd, { from, to: end.end, seed });
  return {
    run,
    seq: end.lastSeq,
    offset: end.lastOffset >= 0 ? end.lastOffset : (usable?.offset ?? 0),
    chain: formatChecksum(end.checksum),
    size: end.end,
    crc: formatChecksum(crc),
  };
}
