/** `reserve`: 64 KB kept so that a full disk still takes the outcome and the pause. */
import { dirname } from 'node:path';
import {
  errorCode,
  isDiskFull,
  kindOf,
  replaceUnsynced,
  storageError,
  syncDirectory,
} from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';

export const RESERVE_BYTES = 64 * 1024;

/** Bytes that no compressing file system makes smaller, the same every time. */
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

/** Makes the reserve where it is missing or short; false when the disk has no room for it. */
export function ensureReserve(fs: FileSystem, path: string): boolean {
  try {
    if (kindOf(fs, path) === 'file' && fs.stat(path).size >= RESERVE_BYTES) return true;
    // Nothing depends on it after a power cut: the next start makes it again.
    replaceUnsynced(fs, path, incompressible(RESERVE_BYTES));
    return true;
  } catch (error) {
    if (!isDiskFull(error)) throw storageError(error, `reserving ${path}`);
    // What the attempt took is free again only then, and the pause may need it.
    syncDirectory(fs, dirname(path));
    return false;
  }
}

/** Gives the reserved bytes back to the disk; false when there was no reserve. */
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
