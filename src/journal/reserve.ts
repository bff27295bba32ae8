/** `reserve`: 64 KB kept so that a full disk still has room for the outcome and the pause. */
import { dirname } from '../lib/files/absolute-paths.ts';
import {
  errorCode,
  fileKindAt,
  isDiskFull,
  replaceLocked,
  storageError,
  syncDirectory,
} from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';

export const RESERVE_BYTES = 64 * 1024;

/** Bytes that a compressing file system cannot shrink; the same every time. */
function incompressible(length: number): Buffer {
  const words = new Uint32Array(length / Uint32Array.BYTES_PER_ELEMENT);
  let state = 0x9e3779b9;
  for (let index = 0; index < words.length; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[index] = state;
  }
  return Buffer.from(words.buffer);
}

/** Creates the reserve if it is missing or too short; false if the disk has no room for it. */
export function ensureReserve(fs: FileSystem, path: string): boolean {
  try {
    if (fileKindAt(fs, path) === 'file' && fs.stat(path).size >= RESERVE_BYTES) return true;
    // Losing it in a power loss does no harm: the next start creates it again.
    replaceLocked(fs, path, incompressible(RESERVE_BYTES), { isSynced: false });
    return true;
  } catch (error) {
    if (!isDiskFull(error)) throw storageError(error, `reserving ${path}`);
    // Only this frees what the failed attempt used, which the pause may need.
    syncDirectory(fs, dirname(path));
    return false;
  }
}

/** Returns the reserved bytes to the disk; false if there was no reserve. */
export function dropReserve(fs: FileSystem, path: string): boolean {
  try {
    fs.unlink(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
  syncDirectory(fs, dirname(path));
  return true;
}
