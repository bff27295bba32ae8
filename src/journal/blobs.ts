/**
 * `blobs/<sha256>`: long strings and before-images.
 *
 * 1. A blob is written at once and made durable by `sync`, together with all others and their folder.
 * 2. Nobody trusts a blob for its name: what is read was compared with it, and what a power cut
 *    spoilt is written anew.
 * 3. After a failed sync nothing is called durable any more.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  kindOf,
  readFileIfPresent,
  replaceUnsynced,
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
  /** Writes bytes and returns their sha256; durable after the next `sync`. Throws E_DISK_FULL, E_IO. */
  keep(bytes: Uint8Array): string;
  /** Whether a blob is there and whole. The next `sync` makes it durable, whoever wrote it. */
  take(hash: string): boolean;
  /** Makes everything kept and taken durable. Throws E_DISK_FULL, E_IO, and then every time. */
  sync(): void;
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
  /** Written or found, and perhaps only in the page cache: a crash can have come before its sync. */
  const unsynced = new Set<string>();
  const synced = new Set<string>();
  let failure: unknown = null;
  return {
    keep(bytes) {
      const hash = sha256(bytes);
      const path = pathOf(hash);
      try {
        if (readIfGood(hash) === null) {
          synced.delete(hash);
          replaceUnsynced(fs, path, bytes);
        }
      } catch (error) {
        throw storageError(error, `writing ${path}`);
      }
      if (!synced.has(hash)) unsynced.add(hash);
      return hash;
    },
    take(hash) {
      if (!HASH.test(hash) || readIfGood(hash) === null) return false;
      if (!synced.has(hash)) unsynced.add(hash);
      return true;
    },
    sync() {
      if (failure !== null) throw failure;
      if (unsynced.size === 0) return;
      try {
        for (const hash of unsynced) syncFile(fs, pathOf(hash));
        syncDirectory(fs, directory);
      } catch (error) {
        failure = storageError(error, `syncing ${directory}`);
        throw failure;
      }
      for (const hash of unsynced) synced.add(hash);
      unsynced.clear();
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
