/** Reads the lines of a file with their positions, some of them ahead. Holds little of the file in memory. */
import { readRange } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { endsLikeWindows } from '../conversions.ts';
import { CHECKSUM_REACH, MAX_LINE_BYTES, parseChecksum } from './framing.ts';

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
/** The most bytes that lines read ahead may have together. */
const AHEAD_BYTES = 8 * 1024 * 1024;

export interface PlacedLine {
  /** Without its newline; of a line that is too long, only the first bytes. */
  readonly bytes: Buffer;
  /** Where the line begins in the file, and where the next one begins. */
  readonly from: number;
  readonly to: number;
  readonly isTerminated: boolean;
}

export const lineContent = ({ bytes }: PlacedLine): Buffer =>
  endsLikeWindows(bytes) ? bytes.subarray(0, -1) : bytes;

/** The checksum at the end of a line, correct or not. */
export const checksumIn = (content: Buffer): number | null =>
  parseChecksum(content.subarray(1 - CHECKSUM_REACH).toString('latin1', 0, 8));

/** The seq at the start of a line, correct or not. */
export function seqIn(content: Buffer): number | null {
  const found = /^\{"seq":(\d{1,15}),/.exec(content.toString('latin1', 0, 32))?.[1];
  return found === undefined ? null : Number(found);
}

export class LineQueue {
  readonly #lines: PlacedLine[] = [];
  readonly #next: () => PlacedLine | null;

  constructor(fs: FileSystem, fd: number, start = 0) {
    this.#next = lineReader(fs, fd, start);
  }

  /** The line that is `index` lines ahead. */
  at(index: number): PlacedLine | null {
    let ahead = this.#lines.reduce((sum, { bytes }) => sum + bytes.length, 0);
    while (this.#lines.length <= index && (ahead < AHEAD_BYTES || this.#lines.length === 0)) {
      const line = this.#next();
      if (line === null) break;
      ahead += line.bytes.length;
      this.#lines.push(line);
    }
    return this.#lines[index] ?? null;
  }

  take(): void {
    this.#lines.shift();
  }
}

export function lineReader(fs: FileSystem, fd: number, start: number): () => PlacedLine | null {
  const size = fs.size(fd);
  let rest: Buffer = Buffer.alloc(0);
  let from = start;
  let read = start;
  const more = (): boolean => {
    const chunk = readRange(
      fs,
      fd,
      read,
      Math.min(Math.max(CHUNK_BYTES, rest.length), size - read),
    );
    read += chunk.length;
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    return chunk.length > 0;
  };
  return () => {
    let searched = 0;
    let skipped = 0;
    let head: Buffer | null = null;
    for (;;) {
      const newline = rest.indexOf(NEWLINE, searched);
      searched = rest.length;
      const isEnd = newline < 0 && (read >= size || !more());
      if (newline < 0 && !isEnd) {
        if (rest.length <= MAX_LINE_BYTES) continue;
        head ??= rest.subarray(0, 64);
        skipped += rest.length;
        rest = Buffer.alloc(0);
        searched = 0;
        continue;
      }
      const length = newline < 0 ? rest.length : newline;
      if (isEnd && length + skipped === 0) return null;
      const bytes = head ?? rest.subarray(0, length);
      const to = from + skipped + length + (isEnd ? 0 : 1);
      const line = { bytes, from, to, isTerminated: !isEnd };
      rest = rest.subarray(isEnd ? length : length + 1);
      from = to;
      return line;
    }
  };
}
