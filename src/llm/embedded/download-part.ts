/** The part of a file that has arrived, and of which content it is; see invariant 2 of `download.ts`. */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  discard,
  fileKindAt,
  readRange,
  renameFile,
  replaceFile,
  syncDirectory,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { jsonInFile } from '../../lib/files/json-file.ts';
import { syncFile } from '../../lib/files/with-file.ts';
import { isRecord } from '../../lib/json-value.ts';
import type { Promised } from './hub.ts';

export interface PartialDownload {
  readonly path: string;
  readonly bytes: number;
}

/** The longest stretch that is hashed before other work may run. */
const STRETCH = 4 * 1024 * 1024;

export const partPath = (file: string): string => `${file}.part`;
const labelPath = (file: string): string => `${file}.part.json`;

/** The part to continue with: the existing one if it belongs to the promised content, else a new one. */
export function openPart(fs: FileSystem, file: string, promised: Promised): PartialDownload {
  const path = partPath(file);
  const bytes = partBytes(fs, file);
  if (bytes > 0 && bytes <= promised.bytes && etagOf(fs, file) === promised.etag)
    return { path, bytes };
  dropPart(fs, file);
  replaceFile(fs, labelPath(file), Buffer.from(JSON.stringify({ etag: promised.etag })));
  fs.close(fs.open(path, 'wx', 0o600));
  return { path, bytes: 0 };
}

export function partBytes(fs: FileSystem, file: string): number {
  return fileKindAt(fs, partPath(file)) === 'file' ? fs.stat(partPath(file)).size : 0;
}

function etagOf(fs: FileSystem, file: string): string | null {
  const label = jsonInFile(fs, labelPath(file));
  return isRecord(label) && typeof label.etag === 'string' ? label.etag : null;
}

export function dropPart(fs: FileSystem, file: string): void {
  discard(fs, partPath(file));
  discard(fs, labelPath(file));
}

/** Why the bytes are not the promised file; '' if they are. */
export async function faultOf(
  fs: FileSystem,
  path: string,
  { bytes, sha256 }: Promised,
  signal: AbortSignal,
): Promise<string> {
  const fd = fs.open(path, 'r');
  try {
    if (fs.size(fd) !== bytes) return `it has ${fs.size(fd)} bytes, not ${bytes}`;
    if (readRange(fs, fd, 0, 4).toString('latin1') !== 'GGUF') return 'it is not a GGUF file';
    if (sha256 === null) return '';
    const hash = createHash('sha256');
    for (let at = 0; at < bytes; at += STRETCH) {
      hash.update(readRange(fs, fd, at, Math.min(STRETCH, bytes - at)));
      await nextTurn(undefined, { signal });
    }
    return hash.digest('hex') === sha256 ? '' : 'its SHA-256 is another';
  } finally {
    fs.close(fd);
  }
}

/** Renames the checked part to the file, durably. */
export function publishPart(fs: FileSystem, file: string): void {
  syncFile(fs, partPath(file));
  renameFile(fs, partPath(file), file);
  syncDirectory(fs, dirname(file));
  discard(fs, labelPath(file));
}
