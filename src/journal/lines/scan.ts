/** Reads a journal line by line, in chunks, and checks the chain on the way. */
import { readRange } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { type Interruptible, runSync } from '../../lib/interruptible.ts';
import type { StampedRecord } from '../../schema/journal/stamp.ts';
import type { ParseRecord } from '../record-format.ts';
import {
  CHAIN_START,
  CHECKSUM_REACH,
  checksumAtEnd,
  decodeLine,
  judgeTail,
  parseChecksum,
} from './framing.ts';
import { lineReader, type PlacedLine } from './line-queue.ts';

const PIECE_BYTES = 256 * 1024;

/**
 * The place to begin: the start of a line, the checksum of the line before it, and the seq that the line must
 * have.
 */
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
  /** The offset of the last good line; -1 if there was none. */
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

/** Pages and sectors are multiples of this, so the NULs of a lost one end at a multiple of it. */
const SECTOR_BYTES = 512;

const NUL = 0;
const DIFFERS = 'it is not what was durably written there';

interface TornPlace {
  readonly seq: number;
  /** The checksum of the line before it. */
  readonly previous: number;
  /** The size of the file in bytes. */
  readonly size: number;
  /** True if every line was synced before the next: then only one line can be unfinished. */
  readonly isAlone: boolean;
}

/**
 * Distinguishes what a power loss leaves after the last durable record from damage. Records are written one by
 * one and synced together, so a power loss can take any of their pages: the file ends early, or has holes of
 * NULs with good lines after them. Pure.
 *
 * @param lines the first bad line and everything after it
 * @returns why it is damage; `null`: all of it belongs to a group that was never durable
 */
function damageIn(lines: Iterable<PlacedLine>, place: TornPlace): string | null {
  let previous: number | null = place.previous;
  for (const line of lines) {
    if (isTooLong(line)) return 'the line is too long';
    const damage = place.isAlone ? damageOfOne(line, place) : damageOf(line, previous, place);
    if (damage !== null) return damage;
    previous = checksumAtEnd(line.bytes);
  }
  return null;
}

const isTooLong = ({ bytes, from, to }: PlacedLine): boolean => bytes.length < to - from - 1;

/** Judges by the chain alone, for lines that do not record what was durable. */
function damageOfOne(line: PlacedLine, { previous, size }: TornPlace): string | null {
  const facts = { terminated: line.isTerminated, isLast: line.to === size };
  return judgeTail(line.bytes, facts, previous) === 'torn' ? null : DIFFERS;
}

function damageOf(line: PlacedLine, previous: number | null, place: TornPlace): string | null {
  if (!line.isTerminated) return null;
  if (line.bytes.includes(NUL)) return damageInHoles(line);
  const decoded = decodeLine(line.bytes, previous);
  if (!decoded.ok) return decoded.why;
  const { durable } = decoded.value as { readonly durable?: unknown };
  return typeof durable === 'number' && durable < place.seq ? null : DIFFERS;
}

/**
 * A hole begins at a sector, or at the line whose write no longer reached the disk, and ends at a sector. Other
 * NULs are changed bytes.
 */
function damageInHoles({ bytes, from }: PlacedLine): string | null {
  for (let at = bytes.indexOf(NUL); at >= 0; at = bytes.indexOf(NUL, at)) {
    if (at > 0 && (from + at) % SECTOR_BYTES !== 0) return DIFFERS;
    while (bytes[at] === NUL) at += 1;
    if ((from + at) % SECTOR_BYTES !== 0) return DIFFERS;
  }
  return null;
}
