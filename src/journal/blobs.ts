/** `blobs/<sha256>`: long strings and before-images, durable before anything names them. */
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import {
  kindOf,
  readFileIfPresent,
  replaceFile,
  storageError,
  syncDirectory,
  syncFile,
} from '../lib/durable-files.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { FileSystem } from '../lib/file-system.ts';

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

const HASH = /^[0-9a-f]{64}$/;

export interface BlobStore {
  /** Stores bytes durably and returns their sha256. Throws E_DISK_FULL, E_IO. */
  keep(bytes: Uint8Array): string;
  /** The bytes, checked against their name; E_JOURNAL_CORRUPT when they are gone or differ. */
  read(hash: string): Buffer;
  has(hash: string): boolean;
  /** Bytes of the blob as it lies there, unread; `null` where there is none. */
  sizeOf(hash: string): number | null;
}

export function createBlobStore(fs: FileSystem, directory: string): BlobStore {
  const pathOf = (hash: string) => join(directory, hash);
  const readIfGood = (hash: string): Buffer | null => {
    const bytes = HASH.test(hash) ? readFileIfPresent(fs, pathOf(hash)) : null;
    return bytes !== null && sha256(bytes) === hash ? bytes : null;
  };
  return {
    keep(bytes) {
      const hash = sha256(bytes);
      const path = pathOf(hash);
      try {
        if (readIfGood(hash) === null) {
          replaceFile(fs, path, bytes);
        } else {
          // It may only be in the page cache: a crash can have come before its first sync.
          syncFile(fs, path);
          syncDirectory(fs, dirname(path));
        }
      } catch (error) {
        throw storageError(error, `writing ${path}`);
      }
      return hash;
    },
    read(hash) {
      let bytes: Buffer | null;
      try {
        bytes = readIfGood(hash);
      } catch (error) {
        throw storageError(error, `reading ${pathOf(hash)}`);
      }
      if (bytes !== null) return bytes;
      throw new TardigradeError(
        'E_JOURNAL_CORRUPT',
        `The journal names ${pathOf(hash)}, which is missing or damaged.`,
        'Put the file back from a backup, or start the goal over.',
        { option: 'again' },
      );
    },
    has: (hash) => HASH.test(hash) && readIfGood(hash) !== null,
    sizeOf: (hash) => {
      if (!HASH.test(hash) || kindOf(fs, pathOf(hash)) !== 'file') return null;
      return fs.stat(pathOf(hash)).size;
    },
  };
}
