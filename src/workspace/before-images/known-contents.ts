/** Caches hashes of files, valid as long as nothing about a file looks different. */
import { errorCode } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { Interruptible } from '../../lib/interruptible.ts';
import { hashing } from '../files.ts';
import { type FileStamp, isSameStamp, placeIn } from '../scan.ts';

/**
 * Some file systems record times in steps of two seconds: a file that was touched this shortly before it was
 * read may be written again with the same time and size.
 */
const TIME_STEP_MS = 2_000;

export interface KnownContent {
  readonly seen: FileStamp;
  readonly hash: string;
  readonly isSure: boolean;
}

export class KnownContents {
  readonly #files = new Map<string, KnownContent>();
  readonly #ports: { readonly fs: FileSystem; readonly workspace: string; now(): number };

  constructor(ports: { readonly fs: FileSystem; readonly workspace: string; now(): number }) {
    this.#ports = ports;
  }

  get(path: string): KnownContent | undefined {
    return this.#files.get(path);
  }

  /** Adds an earlier result. */
  remember(path: string, known: KnownContent): void {
    this.#files.set(path, known);
  }

  /** @param startedAt when reading began; later writes may or may not have been read */
  learn(path: string, seen: FileStamp, hash: string, startedAt: number): void {
    const touched = Math.max(seen.mtimeMs, seen.changedMs ?? 0);
    this.#files.set(path, { seen, hash, isSure: touched + TIME_STEP_MS < startedAt });
  }

  /** The hash without reading; `null` if the file must be read for it. */
  recall(path: string, seen: FileStamp): string | null {
    const known = this.#files.get(path);
    return known?.isSure && isSameStamp(known.seen, seen) ? known.hash : null;
  }

  /** The hash, reading the file if necessary; `null` if it cannot be read. */
  *hashing(path: string, seen: FileStamp): Interruptible<string | null> {
    const known = this.recall(path, seen);
    if (known !== null) return known;
    const { fs, workspace, now } = this.#ports;
    const startedAt = now();
    const hash = yield* hashIfReadable(fs, placeIn(fs, workspace, path));
    if (hash !== null) this.learn(path, seen, hash, startedAt);
    return hash;
  }
}

/** Ignores every system error, because one unreadable file must not stop a command. */
function* hashIfReadable(fs: FileSystem, absolute: string): Interruptible<string | null> {
  try {
    return yield* hashing(fs, absolute);
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return null;
  }
}
