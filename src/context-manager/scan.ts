/** Reading a journal line by line, in chunks, checking the chain as it goes. */
import { readRange } from '../lib/durable-files.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { Stamped } from '../schema/records.ts';
import {
  CHAIN_START,
  CHECKSUM_REACH,
  decodeLine,
  judgeTail,
  MAX_LINE_BYTES,
  parseChecksum,
} from './framing.ts';
import type { ParseRecord } from './parse-record.ts';

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** Where to begin: a line start, the checksum of the line before it, and the seq it must have. */
export interface ScanStart {
  readonly offset: number;
  readonly previous: number;
  readonly seq: number;
}

export const FROM_START: ScanStart = { offset: 0, previous: CHAIN_START, seq: 1 };

/** The start for reading on from a record in the middle; its seed stands before it in the file. */
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
  /** Of the last good line; `lastOffset` is -1 when there was none. */
  readonly lastOffset: number;
  readonly lastSeq: number;
  readonly checksum: number;
  readonly tail: 'clean' | 'torn' | 'corrupt' | 'unknown';
  /** What is wrong with the first line that is not good. */
  readonly why: string;
  /** True when the caller stopped it before the end. */
  readonly stopped: boolean;
}

/** Returns true to stop after this record. */
export type OnRecord = (record: Stamped, offset: number, checksum: number) => boolean;

/**
 * Calls `onRecord` for every good record from `start` on. Stops at the first line that is not:
 * `torn` and `corrupt` as `judgeTail` says, `unknown` for a record of a newer version.
 */
export function scanRecords(
  fs: FileSystem,
  fd: number,
  start: ScanStart,
  parse: ParseRecord,
  onRecord: OnRecord,
): ScanEnd {
  const size = fs.size(fd);
  let buffer: Buffer = Buffer.alloc(0);
  let offset = start.offset;
  let nextRead = start.offset;
  let seq = start.seq;
  let checksum = start.previous;
  let lastOffset = -1;
  const finish = (tail: ScanEnd['tail'], why = '', stopped = false): ScanEnd => ({
    end: offset,
    lastOffset,
    lastSeq: seq - 1,
    checksum,
    tail,
    why,
    stopped,
  });
  let position = 0;
  for (;;) {
    const newline = buffer.indexOf(NEWLINE, position);
    if (newline < 0) {
      const rest = buffer.subarray(position);
      const wanted = Math.min(Math.max(CHUNK_BYTES, rest.length), size - nextRead);
      if (wanted > 0 && rest.length <= MAX_LINE_BYTES) {
        const chunk = readRange(fs, fd, nextRead, wanted);
        if (chunk.length > 0) {
          buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
          position = 0;
          nextRead += chunk.length;
          continue;
        }
      }
      if (rest.length === 0) return finish('clean');
      const facts = { terminated: false, isLast: rest.length <= MAX_LINE_BYTES };
      return finish(judgeTail(rest, facts, checksum), 'the last line has no end');
    }
    const line = buffer.subarray(position, newline);
    const decoded = decodeLine(line, checksum);
    if (!decoded.ok) {
      const isLast = offset + line.length + 1 === size;
      return finish(judgeTail(line, { terminated: true, isLast }, checksum), decoded.why);
    }
    const parsed = parse(decoded.value);
    if (parsed.kind === 'unknown') return finish('unknown', parsed.why);
    const found = parsed.kind === 'record' ? parsed.record.seq : parsed.seq;
    if (found !== seq) return finish('corrupt', `record ${found} stands where ${seq} belongs`);
    lastOffset = offset;
    checksum = decoded.checksum;
    seq += 1;
    offset += line.length + 1;
    position = newline + 1;
    if (parsed.kind === 'record' && onRecord(parsed.record, lastOffset, checksum)) {
      return finish('clean', '', true);
    }
  }
}
