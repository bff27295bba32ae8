/** Hashes of files that need not be read again, as long as nothing about them looks different. */
import { errorCode } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { Interruptible } from '../../lib/interruptible.ts';
import { hashing } from '../files.ts';
import { type FileStamp, isSameStamp, placeIn } from '../scan.ts';

/**
 * Some file systems tell times in steps of two seconds: a file touched so shortly before it was
 * read may be written again without a later time or another size.
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

  /** For what was found out earlier. */
  remember(path: string, known: KnownContent): void {
    this.#files.set(path, known);
  }

  /** @param startedAt when the reading began: what was written since may be read or not. */
  learn(path: string, seen: FileStamp, hash: string, startedAt: number): void {
    const touched = Math.max(seen.mtimeMs, seen.changedMs ?? 0);
    this.#files.set(path, { seen, hash, isSure: touched + TIME_STEP_MS < startedAt });
  }

  /** The hash without reading; `null` where the file has to be read for it. */
  recall(path: string, seen: FileStamp): string | null {
    const known = this.#files.get(path);
    return known?.isSure && isSameStamp(known.seen, seen) ? known.hash : null;
  }

  /** The hash, read where it has to be; `null` where it cannot be. */
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

/** Whatever the system says against it: one file nobody can read stops no command. */
function* hashIfReadable(fs: FileSystem, absolute: string): Interruptible<string | null> {
  try {
    return yield* hashing(fs, absolute);
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return null;
  }
}
