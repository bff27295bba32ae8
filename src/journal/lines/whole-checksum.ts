/** One CRC-32 over all bytes of a journal: what a start compares before it believes a snapshot. */
import { crc32 } from 'node:zlib';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { type Interruptible, runSync } from '../../lib/interruptible.ts';

/** Large pieces: what is read is only summed, so the calls are what costs. */
const PIECE_BYTES = 1024 * 1024;

export const NO_BYTES = 0;

/** `seed` is the checksum of everything before `from`. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly seed: number;
}

/** Stops early where the file ends. */
export const checksumOfRange = (fs: FileSystem, fd: number, range: Range): number =>
  runSync(summingUp(fs, fd, range));

/** The same, piece by piece. */
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
