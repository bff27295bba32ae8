/**
 * `blobs/<sha256>`: long strings and before-images.
 * 1. A blob is written at once and made durable by `sync`, together with all others and their folder.
 * 2. The name of a blob proves nothing: content is compared with it on reading, and what a power loss spoilt is
 *    written again.
 * 3. After a failed sync nothing is called durable any more.
 */
import { TardigradeError } from '../../lib/errors.ts';
import { join } from '../../lib/files/absolute-paths.ts';
import {
  fileKindAt,
  isNoFile,
  readFileIfPresent,
  replaceLocked,
  storageError,
  syncDirectory,
  withStorageErrors,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { syncFile } from '../../lib/files/with-file.ts';
import { sha256 } from '../../lib/sha256.ts';

const HASH = /^[0-9a-f]{64}$/;

export interface BlobStore {
  /** Writes bytes and returns their sha256; durable after the next `sync`. Throws E_DISK_FULL, E_IO. */
  keep(bytes: Uint8Array): string;
  /** True if a blob exists and is complete. The next `sync` makes it durable, whoever wrote it. */
  take(hash: string): boolean;
  /** Makes everything kept and taken durable. Throws E_DISK_FULL, E_IO, and then on every later call. */
  sync(): void;
  /** The bytes, verified against their name. Throws E_JOURNAL_CORRUPT if they are missing or differ. */
  read(hash: string): Buffer;
  has(hash: string): boolean;
  /** The size of the stored blob, without reading it; `null` if there is none. */
  sizeOf(hash: string): number | null;
}

/** Blobs written or found, and whether their bytes and names are on disk. */
class Pending {
  /** These may exist only in the page cache, if a crash came before their sync. */
  readonly #unsynced = new Set<string>();
  readonly #synced = new Set<string>();
  #failure: unknown = null;

  add(hash: string): void {
    if (!this.#synced.has(hash)) this.#unsynced.add(hash);
  }

  written(hash: string): void {
    this.#synced.delete(hash);
    this.#unsynced.add(hash);
  }

  sync(fs: FileSystem, directory: string): void {
    if (this.#failure !== null) throw this.#failure;
    if (this.#unsynced.size === 0) return;
    try {
      for (const hash of this.#unsynced) syncFile(fs, join(directory, hash));
      syncDirectory(fs, directory);
    } catch (error) {
      this.#failure = storageError(error, `syncing ${directory}`);
      throw this.#failure;
    }
    for (const hash of this.#unsynced) this.#synced.add(hash);
    this.#unsynced.clear();
  }
}

export function createBlobStore(fs: FileSystem, directory: string): BlobStore {
  const pathOf = (hash: string) => join(directory, hash);
  const readIfGood = (hash: string): Buffer | null => {
    if (!HASH.test(hash)) return null;
    try {
      const bytes = readFileIfPresent(fs, pathOf(hash));
      return bytes !== null && sha256(bytes) === hash ? bytes : null;
    } catch (error) {
      if (isNoFile(error)) return null;
      throw storageError(error, `reading ${pathOf(hash)}`);
    }
  };
  const pending = new Pending();
  return {
    keep(bytes) {
      const hash = sha256(bytes);
      const path = pathOf(hash);
      withStorageErrors(`writing ${path}`, () => {
        if (readIfGood(hash) !== null) {
          pending.add(hash);
        } else {
          replaceLocked(fs, path, bytes, { isSynced: false });
          pending.written(hash);
        }
      });
      return hash;
    },
    take(hash) {
      const isGood = readIfGood(hash) !== null;
      if (isGood) pending.add(hash);
      return isGood;
    },
    sync: () => pending.sync(fs, directory),
    read(hash) {
      const bytes = withStorageErrors(`reading ${pathOf(hash)}`, () => readIfGood(hash));
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
      if (!HASH.test(hash) || fileKindAt(fs, pathOf(hash)) !== 'file') return null;
      return fs.stat(pathOf(hash)).size;
    },
  };
}
