/**
 * Caches blobs that this process wrote or read, as far as they fit: a run needs them to continue if its folder
 * is removed. Blobs from the start of the run stay; of the later ones, the least recently used go first.
 */
import type { BlobStore } from './blobs.ts';

export interface BlobMemory {
  remember(hash: string, bytes: Uint8Array): void;
  entries(): Iterable<readonly [hash: string, bytes: Uint8Array]>;
}

/** The room in bytes. The beginning holds the prompt and the tools, which every request needs. */
const ROOM = { beginning: 1024 * 1024, later: 7 * 1024 * 1024, each: 1024 * 1024 };

export function createBlobMemory(room = ROOM): BlobMemory {
  const beginning = new Map<string, Uint8Array>();
  const later = new Map<string, Uint8Array>();
  let atBeginning = 0;
  let taken = 0;
  return {
    remember(hash, bytes) {
      if (beginning.has(hash) || bytes.length > room.each) return;
      if (later.size === 0 && atBeginning + bytes.length <= room.beginning) {
        beginning.set(hash, bytes);
        atBeginning += bytes.length;
        return;
      }
      if (later.delete(hash)) taken -= bytes.length;
      later.set(hash, bytes);
      taken += bytes.length;
      for (const [oldest, dropped] of later) {
        if (taken <= room.later) break;
        later.delete(oldest);
        taken -= dropped.length;
      }
    },
    *entries() {
      yield* beginning;
      yield* later;
    },
  };
}

/** The same store, which caches everything that passes through it. */
export const remembering = (store: BlobStore, memory: BlobMemory): BlobStore => ({
  ...store,
  keep(bytes) {
    const hash = store.keep(bytes);
    memory.remember(hash, bytes);
    return hash;
  },
  read(hash) {
    const bytes = store.read(hash);
    memory.remember(hash, bytes);
    return bytes;
  },
});
