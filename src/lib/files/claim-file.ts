/**
 * Creates a file with all its bytes, or not at all: of several processes at once one succeeds. Its name is
 * not synced.
 */
import { discard, errorCode, writeWholeFile } from './durable-files.ts';
import type { FileSystem } from './file-system.ts';

/**
 * The errors of a file system without links: Node says EISDIR for what FAT and exFAT answer on Windows, and
 * Android says EACCES.
 */
export const NO_LINKS: ReadonlySet<string> = new Set([
  ...['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EISDIR', 'EACCES'],
]);

/** @param temporary a name of this process in the same folder; nothing is left there */
export function claimFile(
  fs: FileSystem,
  temporary: string,
  path: string,
  bytes: Uint8Array,
  { isSynced = false } = {},
): boolean {
  try {
    writeWholeFile(fs, temporary, bytes, { isSynced });
    fs.link(temporary, path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.has(code)) throw error;
    return createFile(fs, path, bytes, isSynced);
  } finally {
    discard(fs, temporary);
  }
}

/** Creates a file; false if it is there already. A reader may see the file before its bytes. */
export function createFile(
  fs: FileSystem,
  path: string,
  bytes: Uint8Array,
  isSynced = false,
): boolean {
  try {
    writeWholeFile(fs, path, bytes, { flags: 'wx', isSynced });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}
