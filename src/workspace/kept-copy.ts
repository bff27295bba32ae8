/**
 * What one process knows of its scratch copy, so that the next copy of a large workspace writes only the files
 * that differ. A file stays only if neither it nor its source can have changed since it was copied, by every
 * time that the file system records: a program can set a file's time of modification, but not its time of change.
 */
import type { FileInfo, FileSystem } from '../lib/files/file-system.ts';
import { KnownContents } from './before-images/known-contents.ts';
import { type FileStamp, isSameStamp } from './scan.ts';

/** Longer than the clock of any file system stands still, except one that records whole seconds. */
const TIME_STEP_MS = 50;
const COARSE_STEP_MS = 2_000;

interface CopiedContent {
  readonly hash: string;
  readonly seen: FileStamp;
}

export class KeptCopy {
  readonly now: () => number;
  readonly #sources: KnownContents;
  #copied: ReadonlyMap<string, CopiedContent> = new Map();
  #copying = new Map<string, CopiedContent>();

  constructor(ports: { readonly fs: FileSystem; readonly workspace: string; now(): number }) {
    this.#sources = new KnownContents(ports);
    this.now = ports.now;
  }

  /** Begins the next copy. Until it is complete, nothing is known for the one after it. */
  begin(): ReadonlyMap<string, CopiedContent> {
    const copied = this.#copied;
    this.#copied = new Map();
    this.#copying = new Map();
    return copied;
  }

  /** The hash of a source without reading it; `null`: it must be read. */
  sourceHash = (path: string, source: FileInfo): string | null =>
    this.#sources.recall(path, source);

  /** @param startedAt when reading the source began */
  read(path: string, source: FileInfo, hash: string, startedAt: number): void {
    this.#sources.learn(path, source, hash, startedAt);
  }

  /** Notes a file of the copy under way. */
  has(path: string, hash: string, seen: FileStamp): void {
    this.#copying.set(path, { hash, seen });
  }

  /** Before a command may change the copy: a file that is as new as the newest may be changed in the same instant. */
  complete(): void {
    let newest = 0;
    let isCoarse = true;
    for (const { seen } of this.#copying.values()) {
      const { changedMs = 0 } = seen;
      newest = Math.max(newest, changedMs);
      isCoarse &&= changedMs % 1000 === 0;
    }
    const last = newest - (isCoarse ? COARSE_STEP_MS : TIME_STEP_MS);
    this.#copied = new Map(
      [...this.#copying].filter(([, { seen }]) => (seen.changedMs ?? newest) < last),
    );
  }
}

/** True if the file in the copy still has the source's content. */
export const holdsSource = (
  copied: CopiedContent | undefined,
  copy: FileStamp,
  sourceHash: string | null,
): boolean => copied !== undefined && copied.hash === sourceHash && isSameStamp(copied.seen, copy);
