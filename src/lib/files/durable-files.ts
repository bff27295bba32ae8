/** Whole-file operations that survive a crash and a full disk, on top of the file system port. */
import { TardigradeError } from '../errors.ts';
import { orNull } from '../or-null.ts';
import { exhaustionOf, hintOf } from '../system-error.ts';
import { dirname } from './absolute-paths.ts';
import type { FileSystem } from './file-system.ts';
import { sweepOldBeside } from './left-temporaries.ts';
import { newTemporaryOf, temporaryOf } from './temporary-name.ts';
import { withFile } from './with-file.ts';

export { TEMPORARY_SUFFIX, temporaryOf } from './temporary-name.ts';

const FULL_DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** Codes that Windows returns while a virus scanner or indexer holds a file open. */
const RENAME_RETRY_CODES = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** The total time of all tries: a signal takes effect only after it, which must be within a second. */
const RENAME_RETRY_MS = 800;

/** Blocks for some milliseconds; passed as an argument so that tests do not wait. */
export type Wait = (ms: number) => void;

export const blockFor: Wait = (ms) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/** The `code` of a Node error (ENOENT, …); empty for everything else. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || error instanceof TardigradeError) return '';
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : '';
}

export const isDiskFull = (error: unknown): boolean =>
  (error instanceof TardigradeError && error.code === 'E_DISK_FULL') ||
  FULL_DISK_CODES.has(errorCode(error));

/** True if the machine has run out of handles or memory, which says nothing about the file. */
export const isExhausted = (error: unknown): boolean => exhaustionOf(errorCode(error)) !== null;

const NO_FILE_CODES: ReadonlySet<string> = new Set([
  ...['EFTYPE', 'EISDIR', 'ELOOP', 'ERR_FS_FILE_TOO_LARGE'],
]);

/** True if something other than a regular file is in its place, such as a pipe. */
export const isNoFile = (error: unknown): boolean => NO_FILE_CODES.has(errorCode(error));

/**
 * Turns a failed file operation into an error that a person can act on: E_DISK_FULL or E_IO. Errors that do not
 * come from the file system are returned unchanged.
 */
export function storageError(error: unknown, doing: string): unknown {
  if (error instanceof TardigradeError) return error;
  const code = errorCode(error);
  if (code === '') return error;
  const reason = error instanceof Error ? error.message : code;
  const exhaustion = exhaustionOf(code);
  if (exhaustion !== null) {
    const message = `${exhaustion.what} (${code}), met while ${doing}.`;
    return new TardigradeError('E_IO', message, exhaustion.hint, { cause: error });
  }
  return FULL_DISK_CODES.has(code)
    ? new TardigradeError(
        'E_DISK_FULL',
        `The disk is full (${code}) while ${doing}.`,
        'Free some space, then run the same command again.',
        { cause: error },
      )
    : new TardigradeError(
        'E_IO',
        `The file system failed while ${doing}: ${reason}`,
        hintOf(code) || 'Check the disk and the permissions, then run the same command again.',
        { cause: error },
      );
}

/** The result of a file operation; what fails in it is thrown as `storageError` makes it. */
export function withStorageErrors<Value>(doing: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw storageError(error, doing);
  }
}

/** Writes every byte at `position`; a single `write` may accept fewer. */
export function writeFully(fs: FileSystem, fd: number, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.length) {
    const written = fs.write(fd, bytes.subarray(done), position + done);
    if (written <= 0)
      throw Object.assign(new Error('ENOSPC: write took no bytes'), { code: 'ENOSPC' });
    done += written;
  }
}

/** Makes the names in a directory durable. Windows has no such operation. */
export function syncDirectory(fs: FileSystem, path: string): void {
  if (fs.platform !== 'win32') withFile(fs, path, (fd) => fs.fsync(fd));
}

/** Writes a whole file; the name of a new one is not synced. */
export const writeWholeFile = (
  fs: FileSystem,
  path: string,
  bytes: Uint8Array,
  { flags = 'w' as 'w' | 'wx', mode = 0o600, isSynced = false } = {},
): void => {
  const write = (fd: number): void => {
    writeFully(fs, fd, bytes, 0);
    if (isSynced) fs.fsync(fd);
  };
  withFile(fs, path, write, flags, mode);
};

/** `rename`, retried for a moment on win32 while another program holds either file. */
export function renameFile(fs: FileSystem, from: string, to: string, wait: Wait = blockFor): void {
  let waited = 0;
  let pause = 10;
  for (;;) {
    try {
      fs.rename(from, to);
      return;
    } catch (error) {
      const mayPass = fs.platform === 'win32' && RENAME_RETRY_CODES.has(errorCode(error));
      if (!mayPass || waited >= RENAME_RETRY_MS) throw error;
      wait(pause);
      waited += pause;
      pause = Math.min(pause * 2, 250);
    }
  }
}

function openTemporary(fs: FileSystem, path: string, mode: number): number {
  try {
    return fs.open(path, 'wx', mode);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  fs.unlink(path);
  return fs.open(path, 'wx', mode);
}

/**
 * Puts `bytes` at `path`. After a crash at any instant, the file is either the old or the new one, complete; on
 * return it is durably the new one. On failure the old file is untouched and nothing is left beside it. Of several
 * processes at once the last one counts. If it is not synced, a power loss may leave anything. Throws E_DISK_FULL or
 * E_IO.
 */
export function replaceFile(
  fs: FileSystem,
  path: string,
  bytes: Uint8Array,
  { mode = 0o600, isSynced = true } = {},
): void {
  putInPlace(fs, path, bytes, { mode, isSynced, temporary: newTemporaryOf(path) });
  sweepOldBeside(fs, path);
}

/**
 * The same for the holder of the lock under which the file is written. A kill leaves a temporary file with a
 * known name, which the holder removes when it opens what the lock protects. Throws E_DISK_FULL or E_IO.
 */
export const replaceLocked = (
  fs: FileSystem,
  path: string,
  bytes: Uint8Array,
  { mode = 0o600, isSynced }: { readonly mode?: number; readonly isSynced: boolean },
): void => putInPlace(fs, path, bytes, { mode, isSynced, temporary: temporaryOf(path) });

/** The same for a file that readers may hold open: a single attempt that waits for nobody. */
export const replaceView = (
  fs: FileSystem,
  path: string,
  bytes: Uint8Array,
  isSynced: boolean,
): void =>
  putInPlace(fs, path, bytes, {
    mode: 0o600,
    isSynced,
    temporary: temporaryOf(path),
    rename: (_, from, to) => fs.rename(from, to),
  });

interface PutInPlace {
  readonly mode: number;
  readonly isSynced: boolean;
  readonly temporary: string;
  readonly rename?: (fs: FileSystem, from: string, to: string) => void;
}

function putInPlace(
  fs: FileSystem,
  path: string,
  bytes: Uint8Array,
  { mode, isSynced, temporary, rename = renameFile }: PutInPlace,
): void {
  let renamed = false;
  try {
    writeTemporary(fs, temporary, bytes, { mode, isSynced });
    rename(fs, temporary, path);
    renamed = true;
    if (isSynced) syncDirectory(fs, dirname(path));
  } catch (error) {
    if (!renamed) discard(fs, temporary);
    throw storageError(error, `writing ${path}`);
  }
}

/** Writes bytes beside their destination; after a failure the partial file stays. */
export function writeTemporary(
  fs: FileSystem,
  temporary: string,
  bytes: Uint8Array,
  { mode, isSynced }: Pick<PutInPlace, 'mode' | 'isSynced'>,
): void {
  const fd = openTemporary(fs, temporary, mode);
  try {
    writeFully(fs, fd, bytes, 0);
    if (fs.platform !== 'win32') fs.fchmod(fd, mode);
    if (isSynced) fs.fsync(fd);
  } finally {
    fs.close(fd);
  }
}

/** Removes a file if possible; for clean-up, when the first error is the one to report. */
export function discard(fs: FileSystem, path: string): void {
  // Best effort: the caller is already reporting what went wrong.
  orNull(() => fs.unlink(path));
}

/** The kind of what is at `path`, following links; `null` if there is nothing. */
export function fileKindAt(fs: FileSystem, path: string): 'file' | 'directory' | 'other' | null {
  const kind = orMissing(() => fs.stat(path))?.kind ?? null;
  return kind === 'symlink' ? 'other' : kind;
}

/** The result of `read`; `null` if there is no such file. */
export function orMissing<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return null;
  }
}

/** The limit for files that are read whole. */
const MAX_BYTES = 256 * 1024 * 1024;

function sizeToRead(fs: FileSystem, fd: number, path: string): number {
  const size = fs.size(fd);
  if (size <= MAX_BYTES) return size;
  const code = 'ERR_FS_FILE_TOO_LARGE';
  throw Object.assign(new Error(`${code}: it has ${size} bytes, read '${path}'`), {
    code,
    syscall: 'read',
  });
}

/** The whole file; `null` if there is none. */
export const readFileIfPresent = (fs: FileSystem, path: string): Buffer | null =>
  orMissing(() => withFile(fs, path, (fd) => readRange(fs, fd, 0, sizeToRead(fs, fd, path))));

/** Up to `length` bytes from `position`; fewer only at the end of the file. */
export function readRange(fs: FileSystem, fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const count = fs.read(fd, buffer.subarray(done), position + done);
    if (count === 0) break;
    done += count;
  }
  return buffer.subarray(0, done);
}

/** Creates a directory and its missing parents, each durable in its parent. */
export function ensureDirectory(fs: FileSystem, path: string, mode = 0o700): void {
  const parent = dirname(path);
  if (parent !== path && fileKindAt(fs, path) === null) ensureDirectory(fs, parent, mode);
  if (makeDirectory(fs, path, mode)) syncDirectory(fs, parent);
}

/** Creates a directory whose name someone else syncs; false if it already exists. */
export function makeDirectory(fs: FileSystem, path: string, mode = 0o700): boolean {
  const kind = fileKindAt(fs, path);
  if (kind === 'directory') return false;
  if (kind !== null)
    throw Object.assign(new Error(`ENOTDIR: not a directory, '${path}'`), { code: 'ENOTDIR' });
  try {
    fs.mkdir(path, mode);
  } catch (error) {
    // Another process created it at this moment, or a dangling link has the name.
    if (errorCode(error) !== 'EEXIST' || fileKindAt(fs, path) !== 'directory') throw error;
  }
  return true;
}
