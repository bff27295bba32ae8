/** `quarantine/`: damaged bytes that were copied or moved there; they are never deleted. */
import { basename, dirname, join } from '../lib/files/absolute-paths.ts';
import {
  discard,
  fileKindAt,
  makeDirectory,
  readRange,
  renameFile,
  syncDirectory,
  TEMPORARY_SUFFIX,
  writeFully,
  writeWholeFile,
} from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { withFile } from '../lib/files/with-file.ts';

const CHUNK_BYTES = 256 * 1024;

function freeName(fs: FileSystem, directory: string, name: string): string {
  for (let count = 1; ; count++) {
    const path = join(directory, `${name}.${count}`);
    if (fileKindAt(fs, path) === null) return path;
  }
}

/** Copies the bytes of an open file from `start` on, durably. Returns the path of the copy. */
export function quarantineRange(
  fs: FileSystem,
  directory: string,
  fd: number,
  start: number,
): string {
  const path = freeName(fs, directory, `history.jsonl.at-${start}`);
  copyRange(fs, fd, { start, end: Number.POSITIVE_INFINITY }, path);
  return path;
}

/** Copies a part of an open file to a new file, durably; ends early at the end of the file. */
export function copyRange(
  fs: FileSystem,
  fd: number,
  { start, end }: { readonly start: number; readonly end: number },
  path: string,
): void {
  const temporary = `${path}${TEMPORARY_SUFFIX}`;
  discard(fs, temporary);
  withFile(
    fs,
    temporary,
    (target) => {
      for (let done = 0; ; ) {
        const length = Math.min(CHUNK_BYTES, end - start - done);
        const chunk = length > 0 ? readRange(fs, fd, start + done, length) : Buffer.alloc(0);
        if (chunk.length === 0) break;
        writeFully(fs, target, chunk, done);
        done += chunk.length;
      }
      fs.fsync(target);
    },
    'wx',
    0o600,
  );
  renameFile(fs, temporary, path);
  syncDirectory(fs, dirname(path));
}

/**
 * True if a part after `offset` was once cut off a journal of this folder: what followed the record there is
 * then unknown.
 */
export function wasCutBehind(fs: FileSystem, directory: string, offset: number): boolean {
  if (fileKindAt(fs, directory) !== 'directory') return false;
  const starts = fs.readdir(directory).map((name) => /\.at-(\d+)\.\d+$/.exec(name)?.[1]);
  return starts.some((start) => start !== undefined && Number(start) > offset);
}

/** Notes a cut whose bytes nobody has: the journal continues from an older copy of itself. */
export function noteCut(
  fs: FileSystem,
  directory: string,
  { start, name, why }: { readonly start: number; readonly name: string; readonly why: string },
): void {
  makeDirectory(fs, directory);
  const path = freeName(fs, directory, `${name}.at-${start}`);
  writeWholeFile(fs, path, Buffer.from(`${why}\n`), { flags: 'wx' });
}

/** Moves a whole file there, durably. Returns its new path. */
export function quarantineFile(fs: FileSystem, directory: string, path: string): string {
  const target = freeName(fs, directory, basename(path));
  renameFile(fs, path, target);
  syncDirectory(fs, directory);
  syncDirectory(fs, dirname(path));
  return target;
}
