/** One CRC-32 over all bytes of a journal, which a start compares before it uses a snapshot. */
import { crc32 } from 'node:zlib';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { type Interruptible, runSync } from '../../lib/interruptible.ts';

/** Pieces are large, because the bytes are only summed and the cost is in the calls. */
const PIECE_BYTES = 1024 * 1024;

export const NO_BYTES = 0;

/** `seed` is the checksum of everything before `from`. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly seed: number;
}

/** Stops early at the end of the file. */
export const checksumOfRange = (fs: FileSystem, fd: number, range: Range): number =>
  runSync(summingUp(fs, fd, range));

/** The same in interruptible pieces. */
export function* summingUp(
  fs: FileSystem,
  fd: number,
  { from, to, seed }: Range,
): Interruptible<number> {
  const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, Math.max(0, to - from)));
  let checksum = seed;
  for (let position = from; position < to; ) {
    const count = fs.read(fd, buffer.subarray(0, to - position), position);
    if (count === 0) break;
    checksum = crc32(buffer.subarray(0, count), checksum);
    position += count;
    yield;
  }
  return checksum;
}
