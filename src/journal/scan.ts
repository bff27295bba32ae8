/** Reading a journal line by line, in chunks, checking the chain as it goes. */
import { readRange } from '../lib/durable-files.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { StampedRecord } from '../schema/stamp.ts';
import {
  CHAIN_START,
  CHECKSUM_REACH,
  decodeLine,
  judgeTail,
  MAX_LINE_BYTES,
  parseChecksum,
} from './framing.ts';
import type { ParseRecord } from './record-format.ts';

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
export type OnRecord<R> = (record: StampedRecord<R>, offset: number, checksum: number) => boolean;

/** Hands out the lines of a file one by one; holds a chunk and at most one line in memory. */
class LineReader {
  readonly size: number;
  #buffer: Buffer = Buffer.alloc(0);
  #position = 0;
  #nextRead: number;

  constructor(
    readonly fs: FileSystem,
    readonly fd: number,
    start: number,
  ) {
    this.size = fs.size(fd);
    this.#nextRead = start;
  }

  /** The next line without its newline; `null` at the end. */
  next(): { readonly bytes: Buffer; readonly terminated: boolean } | null {
    for (;;) {
      const newline = this.#buffer.indexOf(NEWLINE, this.#position);
      if (newline >= 0) {
        const bytes = this.#buffer.subarray(this.#position, newline);
        this.#position = newline + 1;
        return { bytes, terminated: true };
      }
      const rest = this.#buffer.subarray(this.#position);
      if (rest.length <= MAX_LINE_BYTES && this.#readMore(rest)) continue;
      this.#position = this.#buffer.length;
      return rest.length === 0 ? null : { bytes: rest, terminated: false };
    }
  }

  #readMore(rest: Buffer): boolean {
    const wanted = Math.min(Math.max(CHUNK_BYTES, rest.length), this.size - this.#nextRead);
    if (wanted <= 0) return false;
    const chunk = readRange(this.fs, this.fd, this.#nextRead, wanted);
    this.#buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    this.#position = 0;
    this.#nextRead += chunk.length;
    return chunk.length > 0;
  }
}

/**
 * Calls `onRecord` for every good record from `start` on. Stops at the first line that is not:
 * `torn` and `corrupt` as `judgeTail` says, `unknown` for a record of a newer version.
 */
export function scanRecords<R>(
  fs: FileSystem,
  fd: number,
  start: ScanStart,
  parse: ParseRecord<R>,
  onRecord: OnRecord<R>,
): ScanEnd {
  const reader = new LineReader(fs, fd, start.offset);
  let offset = start.offset;
  let { seq, previous: checksum } = start;
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
  for (;;) {
    const line = reader.next();
    if (line === null) return finish('clean');
    const next = offset + line.bytes.length + (line.terminated ? 1 : 0);
    const decoded = decodeLine(line.bytes, checksum);
    if (!line.terminated || !decoded.ok) {
      const facts = { terminated: line.terminated, isLast: next === reader.size };
      const why = decoded.ok ? 'the last line has no end' : decoded.why;
      return finish(judgeTail(line.bytes, facts, checksum), why);
    }
    const parsed = parse(decoded.value);
    if (parsed.kind === 'unknown') return finish('unknown', parsed.why);
    const found = parsed.kind === 'record' ? parsed.record.seq : parsed.seq;
    if (found !== seq) return finish('corrupt', `record ${found} stands where ${seq} belongs`);
    lastOffset = offset;
    checksum = decoded.checksum;
    seq += 1;
    offset = next;
    if (parsed.kind === 'record' && onRecord(parsed.record, lastOffset, checksum)) {
      return finish('clean', '', true);
    }
  }
}
