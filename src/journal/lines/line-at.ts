/** Reads one line of an open journal by its offset, with the checksum that it continues. */
import { readRange } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { CHAIN_START, CHECKSUM_REACH, MAX_LINE_BYTES, parseChecksum } from './framing.ts';

const READ_BYTES = 16 * 1024;
const NEWLINE = 0x0a;

export interface ChainedLine {
  /** Without its newline. */
  readonly bytes: Buffer;
  /** The checksum of the line before. */
  readonly previous: number;
}

/**
 * @param size bytes of the journal
 * @returns `null` if no line can begin at `offset`
 */
export function lineAt(
  fs: FileSystem,
  fd: number,
  offset: number,
  size: number,
): ChainedLine | null {
  const reach = Math.min(offset, CHECKSUM_REACH);
  if (offset < 0 || offset >= size || (offset > 0 && reach < CHECKSUM_REACH)) return null;
  const before = offset - reach;
  for (let length = READ_BYTES; ; length *= 4) {
    const bytes = readRange(fs, fd, before, Math.min(length, size - before));
    const end = bytes.indexOf(NEWLINE, reach);
    if (end >= 0) {
      const previous = offset === 0 ? CHAIN_START : parseChecksum(bytes.toString('latin1', 0, 8));
      return previous === null ? null : { bytes: bytes.subarray(reach, end), previous };
    }
    if (before + bytes.length >= size || length > MAX_LINE_BYTES) return null;
  }
}
