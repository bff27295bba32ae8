/** Reads a journal line by line, in chunks, and checks the chain on the way. */
import { readRange } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { type Interruptible, runSync } from '../../lib/interruptible.ts';
import type { StampedRecord } from '../../schema/journal/stamp.ts';
import type { ParseRecord } from '../record-format.ts';
import { CHAIN_START, CHECKSUM_REACH, decodeLine, parseChecksum } from './framing.ts';
import { lineReader, type PlacedLine } from './line-queue.ts';
import { damageIn } from './torn-group.ts';

const PIECE_BYTES = 256 * 1024;

/** Where to begin: the start of a line, the checksum of the line before it, and the seq it must have. */
export interface ScanStart {
  readonly offset: number;
  readonly previous: number;
  readonly seq: number;
}

export const FROM_START: ScanStart = { offset: 0, previous: CHAIN_START, seq: 1 };

/** The start for reading on from a record in the middle; the checksum before it is read from the file. */
export function scanStartAt(
  fs: FileSystem,
  fd: number,
  offset: number,
  seq: number,
): ScanStart | null {
  if (offset === 0) return seq === 1 ? FROM_START : null;
  if (offset < CHECKSUM_REACH) return null;
  const before = readRange(fs, fd, offset - CHECKSUM_REACH, CHECKSUM_REACH).toString('latin1');
  const previous = parseChecksum(before.slice(0, 8));
  return previous === null || !before.endsWith('"}\n') ? null : { offset, previous, seq };
}

export interface ScanEnd {
  /** Bytes up to the end of the last good line. */
  readonly end: number;
  /** Of the last good line; `lastOffset` is -1 if there was none. */
  readonly lastOffset: number;
  readonly lastSeq: number;
  readonly checksum: number;
  readonly tail: 'clean' | 'torn' | 'corrupt' | 'unknown';
  /** What is wrong with the first bad line. */
  readonly why: string;
  /** True if the caller stopped before the end. */
  readonly stopped: boolean;
}

/** The good line before a record, whatever it contains: the journal would end there without the record. */
export interface LineBefore {
  /** -1 if there is none. */
  readonly offset: number;
  readonly checksum: number;
}

/** Returns true to stop after this record. */
export type OnRecord<R> = (record: StampedRecord<R>, offset: number, before: LineBefore) => boolean;

/**
 * Calls `onRecord` for every good record from `start` on and stops at the first bad line: `torn` or `corrupt`
 * as `damageIn` decides, `unknown` for a record of a newer version.
 */
export const scanRecords = <R>(
  fs: FileSystem,
  fd: number,
  start: ScanStart,
  parse: ParseRecord<R>,
  onRecord: OnRecord<R>,
): ScanEnd => runSync(scanning(fs, fd, start, parse, onRecord));

/** The first record, and where reading ended. */
export function scanFirst<R>(fs: FileSystem, fd: number, parse: ParseRecord<R>) {
  const found: StampedRecord<R>[] = [];
  const end = scanRecords(fs, fd, FROM_START, parse, (record) => found.push(record) > 0);
  return { first: found[0] ?? null, end };
}

/** The same in interruptible pieces of as many records as one read returns. */
export function* scanning<R>(
  fs: FileSystem,
  fd: number,
  start: ScanStart,
  parse: ParseRecord<R>,
  onRecord: OnRecord<R>,
): Interruptible<ScanEnd> {
  const next = lineReader(fs, fd, start.offset);
  let offset = start.offset;
  let { seq, previous: checksum } = start;
  let lastOffset = -1;
  let isMarked = true;
  let pieceEnd = offset + PIECE_BYTES;
  const finish = (tail: ScanEnd['tail'], why = '', stopped = false): ScanEnd => ({
    end: offset,
    lastOffset,
    lastSeq: seq - 1,
    checksum,
    tail,
    why,
    stopped,
  });
  for (;;) {
    const line = next();
    if (line === null) return finish('clean');
    const decoded = decodeLine(line.bytes, checksum);
    if (!line.isTerminated || !decoded.ok) {
      const place = { seq, previous: checksum, size: fs.size(fd), isAlone: !isMarked };
      const damage = damageIn(fromLine(line, next), place);
      const why = decoded.ok ? 'the last line has no end' : decoded.why;
      return finish(damage === null ? 'torn' : 'corrupt', why);
    }
    const parsed = parse(decoded.value);
    if (parsed.kind === 'unknown') return finish('unknown', parsed.why);
    const found = parsed.kind === 'record' ? parsed.record.seq : parsed.seq;
    if (found !== seq) return finish('corrupt', `record ${found} stands where ${seq} belongs`);
    const before = { offset: lastOffset, checksum };
    if (parsed.kind === 'record') isMarked = parsed.record.durable !== undefined;
    lastOffset = offset;
    checksum = decoded.checksum;
    seq += 1;
    offset = line.to;
    if (parsed.kind === 'record' && onRecord(parsed.record, lastOffset, before))
      return finish('clean', '', true);
    if (offset < pieceEnd) continue;
    pieceEnd = offset + PIECE_BYTES;
    yield;
  }
}

function* fromLine(line: PlacedLine, next: () => PlacedLine | null): Generator<PlacedLine> {
  for (let each: PlacedLine | null = line; each !== null; each = next()) yield each;
}
