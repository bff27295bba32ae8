/** Files of the workspace: hashing, reading and replacing them as a whole. */
import { createHash } from 'node:crypto';
import { TardigradeError } from '../lib/errors.ts';
import { pathsOf } from '../lib/files/absolute-paths.ts';
import {
  errorCode,
  isDiskFull,
  isExhausted,
  readRange,
  replaceLocked,
  syncDirectory,
} from '../lib/files/durable-files.ts';
import type { FileInfo, FileSystem } from '../lib/files/file-system.ts';
import { syncFile } from '../lib/files/with-file.ts';
import { type Interruptible, runSync } from '../lib/interruptible.ts';

const CHUNK = 256 * 1024;

export const parentFolder = (fs: FileSystem, absolute: string): string =>
  pathsOf(fs.platform).dirname(absolute);

/** What is at a path, following links; `null` if there is nothing. */
export function infoOf(fs: FileSystem, absolute: string): FileInfo | null {
  try {
    return fs.stat(absolute);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null;
    throw error;
  }
}

/**
 * Reads a file piece by piece, so that its size costs no memory. It reads only as much as the file had when it
 * was opened, because concurrent writing may never end. Stops early if the consumer does.
 */
export function* chunksOf(fs: FileSystem, absolute: string): Generator<Uint8Array> {
  const fd = fs.open(absolute, 'r');
  try {
    // Some systems report no size for files that they generate on reading.
    const end = fs.size(fd) || CHUNK;
    for (let position = 0; position < end; ) {
      const wanted = Math.min(CHUNK, end - position);
      const piece = readRange(fs, fd, position, wanted);
      if (piece.length > 0) yield piece;
      position += piece.length;
      if (piece.length < wanted) return;
    }
  } finally {
    fs.close(fd);
  }
}

/** The sha256 of a file in hex; `null` if there is no regular file. */
export const hashFile = (fs: FileSystem, absolute: string): string | null =>
  runSync(hashing(fs, absolute));

/** The same in pieces. */
export function* hashing(fs: FileSystem, absolute: string): Interruptible<string | null> {
  if (infoOf(fs, absolute)?.kind !== 'file') return null;
  const hash = createHash('sha256');
  for (const piece of chunksOf(fs, absolute)) {
    hash.update(piece);
    yield;
  }
  return hash.digest('hex');
}

/** The same for callers that an unreadable file must not stop. */
export const hashIfReadable = (fs: FileSystem, absolute: string): string | null | 'unreadable' =>
  runSync(hashingIfReadable(fs, absolute));

/** The same in pieces. */
export function* hashingIfReadable(
  fs: FileSystem,
  absolute: string,
): Interruptible<string | null | 'unreadable'> {
  try {
    return yield* hashing(fs, absolute);
  } catch (error) {
    if (errorCode(error) === '' || isExhausted(error)) throw error;
    return 'unreadable';
  }
}

/** True if the system refused one operation; false for a full or broken disk and for our bugs. */
export const isRefusal = (error: unknown): boolean =>
  !['', 'EIO'].includes(errorCode(error)) && !isDiskFull(error);

export function readBytes(fs: FileSystem, absolute: string): Buffer;
/** `null` for a file of more than `most` bytes, whatever size was reported before. */
export function readBytes(fs: FileSystem, absolute: string, most: number): Buffer | null;
export function readBytes(
  fs: FileSystem,
  absolute: string,
  most = Number.POSITIVE_INFINITY,
): Buffer | null {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of chunksOf(fs, absolute)) {
    bytes += piece.length;
    if (bytes > most) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

export interface PlannedWrite {
  readonly absolute: string;
  readonly bytes: Uint8Array;
  /** Permission bits; left out: derived from the folder, and never writable for everyone. */
  readonly mode?: number;
  /** Missing folders, outermost first. */
  readonly createdDirs: readonly string[];
}

/**
 * Creates the folders and puts the bytes in place, durably. Returns a message if the place forbids it. Throws
 * E_DISK_FULL and E_IO, and the old file is then unchanged.
 */
export function putFile(fs: FileSystem, write: PlannedWrite): string | null {
  try {
    for (const folder of write.createdDirs) makeFolder(fs, folder);
    const mode = write.mode ?? fs.stat(parentFolder(fs, write.absolute)).mode & 0o664;
    replaceLocked(fs, write.absolute, write.bytes, { mode, isSynced: true });
    return null;
  } catch (error) {
    if (isDiskFull(error) && !(error instanceof TardigradeError)) throw diskFull(error);
    const cause = error instanceof TardigradeError ? error.cause : error;
    if (isDiskFull(error) || isExhausted(cause)) throw error;
    if (errorCode(cause) === '' || errorCode(cause) === 'EIO') throw error;
    return errorCode(cause);
  }
}

/** Creates a folder durably; an existing one is accepted as it is. */
export function makeFolder(fs: FileSystem, folder: string): void {
  try {
    fs.mkdir(folder, 0o777);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  syncDirectory(fs, parentFolder(fs, folder));
}

export const diskFull = (cause: unknown): TardigradeError =>
  new TardigradeError(
    'E_DISK_FULL',
    'The disk is full; the file to be written is as it was.',
    'Free some space, then run the same command again.',
    { cause },
  );

export function removeFile(fs: FileSystem, absolute: string): void {
  fs.unlink(absolute);
  syncDirectory(fs, parentFolder(fs, absolute));
}

/** Makes what was found on disk after a crash durable, before anything relies on it. */
export function confirmFile(fs: FileSystem, absolute: string): void {
  if (infoOf(fs, absolute)?.kind === 'file') syncFile(fs, absolute);
  const folder = parentFolder(fs, absolute);
  if (infoOf(fs, folder)?.kind === 'directory') syncDirectory(fs, folder);
}

/** Missing folders above a place of the workspace, outermost first, absolute. */
export function missingAbove(fs: FileSystem, workspace: string, absolute: string): string[] {
  const missing: string[] = [];
  let at = parentFolder(fs, absolute);
  while (at !== workspace && infoOf(fs, at) === null) {
    missing.unshift(at);
    at = parentFolder(fs, at);
  }
  return missing;
}
