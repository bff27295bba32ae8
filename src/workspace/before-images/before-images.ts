/**
 * Keeps before-images while programs run in the workspace. Owns what it knows about the files between two
 * commands, so that none is read twice; all of that can be recovered from the disk and the journal.
 * 1. Whatever a program may change is kept durably before the program starts.
 * 2. Differences are recorded before the program's outcome is.
 * 3. What was not seen is not claimed: a file that the earlier scan could not see is never called new.
 * 4. Changes that a crash hid are recorded with an unknown author. If somebody else has written a file
 *    between commands, so are all its later changes: during a command nobody can see who made them.
 */
import type { FileSystem } from '../../lib/files/file-system.ts';
import { type Interruptible, runSync } from '../../lib/interruptible.ts';
import { orNull } from '../../lib/or-null.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { FileChange } from '../../schema/actions.ts';
import type { FilesChanged, FilesKept, Manifest } from '../../schema/journal/before-images.ts';
import { CacheFolders } from '../cache-folders.ts';
import { changesBetween, type HashedScan, type WorkspaceChanges } from '../changes.ts';
import {
  type FileStamp,
  isSameStamp,
  MAX_NAMES,
  scanWorkspace,
  type WorkspaceScan,
} from '../scan.ts';
import { type IsCache, isIgnored } from '../walk.ts';
import { sharedText, skippedFilesText, unseenText } from './describe.ts';
import { KnownContents } from './known-contents.ts';
import { manifestIfGood, Packer, packEntriesIn } from './packs.ts';
import { SharedFiles } from './shared-files.ts';
import {
  BEFORE_IMAGE_LIMITS,
  type BeforeImageLimits,
  leftOut,
  manifestOf,
  takeIn,
} from './take.ts';

export interface BeforeImagesPorts {
  readonly fs: FileSystem;
  /** Absolute real path. */
  readonly workspace: string;
  readonly isCache: IsCache;
  now(): number;
  /** As `breather` makes it; called between two files. */
  breathe(): Promise<void> | null;
  readonly blobs: {
    keep(bytes: Uint8Array): string;
    read(hash: string): Uint8Array;
    /** In bytes; `null` if there is none. */
    sizeOf(hash: string): number | null;
  };
  readonly run: RunMemory;
  record(record: FilesKept | FilesChanged): void;
  report(text: string): void;
  /** Left out: the limits that every run has. */
  readonly limits?: (BeforeImageLimits & { readonly names: number }) | undefined;
}

/** What the run's journal says, and what an earlier run left. */
export interface RunMemory {
  /** The blob with what the run kept last; `null` before its first command. */
  manifest(): string | null;
  /** The same for the previous run; the blob may be gone. */
  formerManifest(): string | null;
  rememberManifest(blob: string): void;
  /** True if the run itself left this content there, and no undo goes back to it. */
  isOwn(path: string, hash: string): boolean;
  /** True if a tool of the run read or wrote this content there last. */
  isKnown(path: string, hash: string): boolean;
  /** Files for which the run knows later contents than those it kept; `null`: no such file. */
  later(): Iterable<readonly [path: string, hash: string | null]>;
}

/** Facts about a command that has ended, and a receiver for all its changes. */
export interface EndOf {
  /** A person, or a user's rule, allowed exactly this command. */
  readonly isAllowed?: boolean;
  seen?(changes: readonly FileChange[]): void;
}

const INLINE_CHANGES = 200;
const UNCOVERED_NAMED = 50;

export class BeforeImages {
  readonly #ports: BeforeImagesPorts;
  readonly #known: KnownContents;
  readonly #packer: Packer;
  #isLoaded = false;
  #before: HashedScan | null = null;
  readonly #shared = new SharedFiles();
  readonly #caches: CacheFolders;

  constructor(ports: BeforeImagesPorts) {
    this.#ports = ports;
    this.#known = new KnownContents(ports);
    this.#caches = new CacheFolders({ ...ports, isKnown: ports.run.isKnown });
    this.#packer = new Packer((bytes) => ports.blobs.keep(bytes));
  }

  /** Invariant 1. Throws E_DISK_FULL, E_IO and what the journal throws. */
  async begin(): Promise<void> {
    const { run, limits = BEFORE_IMAGE_LIMITS } = this.#ports;
    const isFirst = run.manifest() === null;
    this.#load();
    const scan = runSync(this.#look());
    const wasKept = new Set(this.#packer.places.keys());
    const parts = { ...this.#ports, limits, known: this.#known, packer: this.#packer };
    const taken = await takeIn(scan, { ...parts, isOwn: (path, hash) => run.isOwn(path, hash) });
    this.#before = { scan, hashes: taken.hashes };
    const isKnown = (path: string, hash: string) => wasKept.has(hash) || run.isKnown(path, hash);
    const shared = this.#shared.atBegin(taken.hashes, isKnown);
    if (shared.length > 0) this.#ports.report(sharedText(shared));
    const isNew = taken.kept.some((path) => !wasKept.has(taken.hashes.get(path) ?? ''));
    if (!isFirst && !isNew) return;
    const manifest = manifestOf(taken, scan, this.#known, this.#packer.places);
    const left = leftOut(taken.left);
    this.#record(manifest, left);
    if (isFirst && left !== null) this.#ports.report(skippedFilesText(left));
  }

  /**
   * Invariant 2. Reports whether anything changed that counts as work (caches and logs do not), and a hash of
   * what is there now.
   * @param id of the command's intent
   */
  end(id: string, { isAllowed = false, seen }: EndOf = {}) {
    const before = this.#before;
    if (before === null) return { changed: false };
    this.#before = null;
    // The command has ended and its outcome waits for this, so it is not interruptible.
    const after = runSync(this.#look());
    const { files, paths, ...rest } = runSync(this.#changes(before, after));
    this.#shared.atEnd(before.hashes, files);
    const shared = files.filter((file) => this.#shared.hides(file));
    const own = files.filter((file) => !this.#shared.hides(file));
    this.#recordChanges(id, 'command', { ...rest, files: own }, isAllowed);
    this.#recordChanges(id, 'unknown', { files: shared, folders: [], uncovered: [] });
    seen?.(own);
    const others = new Set(shared.map(({ path }) => path));
    const changed = paths.some((path) => this.#isWork(path) && !others.has(path));
    return changed ? { changed, workspace: this.#wordFor(after) } : { changed };
  }

  /**
   * Records which of the command's changes were reverted.
   * @param files from what the command left to what was there before
   */
  recordBack(id: string, files: readonly FileChange[]): void {
    this.#recordChanges(id, 'engine', { files, folders: [], uncovered: [] });
  }

  /**
   * Invariant 4: records differences from the journal after a command whose end nobody saw. Does nothing for a
   * run that kept nothing, because an older build ran its commands.
   */
  recordUnseen(id: string): void {
    runSync(this.recordingUnseen(id));
  }

  /**
   * The same in pieces; stopping between two of them records nothing.
   * @param isSaid false if a person need not be told at once
   */
  *recordingUnseen(id: string, isSaid = true): Interruptible<void> {
    const { run, report } = this.#ports;
    const blob = run.manifest();
    const manifest = blob === null ? null : this.#read(blob);
    if (manifest === null) return;
    this.#load();
    const now = yield* this.#look();
    const changes = yield* this.#changes(this.#expected(manifest, now), now, false);
    const { files } = changes;
    this.#recordChanges(id, 'unknown', { files, folders: [], uncovered: [] });
    if (isSaid && changes.paths.length > 0) report(unseenText(changes.paths));
  }

  /** The workspace according to the journal, in the form of a scan. */
  #expected({ files, left, isWhole }: Manifest, now: WorkspaceScan): HashedScan {
    const hashes = new Map<string, string | null>(files.map(({ path, hash }) => [path, hash]));
    for (const [path, hash] of this.#ports.run.later())
      if (hash === null) hashes.delete(path);
      else hashes.set(path, hash);
    const modes = new Map(files.map((file) => [file.path, file]));
    const seen = [...hashes.keys()].map((path) => [path, modes.get(path) ?? NOT_SEEN] as const);
    const others = left.map((path) => [path, 'unknown'] as const);
    const scan: WorkspaceScan = {
      files: new Map(seen),
      // The journal does not say whether folders, links and skipped files existed.
      others: new Map([...now.others, ...others]),
      listed: isWhole ? now.listed : new Set(),
      unlisted: new Map(),
    };
    return { scan, hashes };
  }

  #look(): Interruptible<WorkspaceScan> {
    const { fs, workspace, isCache, limits } = this.#ports;
    return scanWorkspace(fs, workspace, isCache, limits?.names ?? MAX_NAMES, (...seen) =>
      this.#caches.isCache(...seen),
    );
  }

  #changes(before: HashedScan, after: WorkspaceScan, knowsModes = true) {
    const { fs, limits } = this.#ports;
    const { fileBytes } = limits ?? BEFORE_IMAGE_LIMITS;
    return changesBetween(before, after, {
      hashing: (path, seen) => this.#known.hashing(path, seen),
      mayRead: ({ size }) => size <= fileBytes,
      knowsModes: knowsModes && fs.platform !== 'win32',
    });
  }

  #isWork(path: string): boolean {
    return !path.split('/').some((name) => isIgnored(name, this.#ports.isCache));
  }

  /** Equal for equal contents; for a file that was not read, size and time are used. */
  #wordFor({ files }: WorkspaceScan): string {
    const lines = [...files]
      .filter(([path]) => this.#isWork(path))
      .map(([path, seen]) => `${path}\0${this.#contentWord(path, seen)}`);
    return sha256(lines.sort().join('\n')).slice(0, 16);
  }

  #contentWord(path: string, seen: FileStamp): string {
    const known = this.#known.get(path);
    return known && isSameStamp(known.seen, seen) ? known.hash : `${seen.size} ${seen.mtimeMs}`;
  }

  /** Contents that this run or the previous one has already kept. */
  #load(): void {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    const { run } = this.#ports;
    const own = run.manifest();
    const manifest = own === null ? this.#former(run.formerManifest()) : this.#read(own);
    if (manifest === null) return;
    for (const [hash, place] of packEntriesIn(manifest)) this.#packer.places.set(hash, place);
    for (const { path, hash, isSure, size, mode, mtimeMs, ...more } of manifest.files) {
      if (own !== null) this.#caches.keep(path);
      const { changedMs, inode } = more;
      const times = { mtimeMs, ...(changedMs === undefined ? {} : { changedMs }) };
      const seen = { size, mode, ...times, ...(inode === undefined ? {} : { inode }) };
      this.#known.remember(path, { seen, hash, isSure });
    }
  }

  /** A lost manifest is made anew from the current files. */
  #read(blob: string): Manifest | null {
    return manifestIfGood(blob, (hash) => this.#ports.blobs.read(hash));
  }

  /** Used only if everything in it still exists, because this run will rely on it. */
  #former(blob: string | null): Manifest | null {
    const { blobs } = this.#ports;
    // What an earlier run left saves work and is never required.
    return orNull(() => {
      const manifest = blob === null || blobs.sizeOf(blob) === null ? null : this.#read(blob);
      const isThere = manifest?.packs.every((pack) => blobs.sizeOf(pack.blob) === pack.size);
      return isThere ? manifest : null;
    });
  }

  #record(manifest: Manifest, left: FilesKept['left'] | null): void {
    const { blobs, run, record } = this.#ports;
    const { files } = manifest;
    const blob = blobs.keep(Buffer.from(JSON.stringify(manifest)));
    record({
      ...{ type: 'files_kept', optional: true, manifest: blob, files: files.length },
      bytes: files.reduce((sum, { size }) => sum + size, 0),
      ...(left ? { left } : {}),
    });
    if (files.length > 0) run.rememberManifest(blob);
  }

  #keepList(files: WorkspaceChanges['files']): string {
    return this.#ports.blobs.keep(Buffer.from(JSON.stringify(files)));
  }

  #recordChanges(
    id: string,
    by: FilesChanged['by'],
    changes: Omit<WorkspaceChanges, 'paths'>,
    isAllowed = false,
  ): void {
    const { files, folders, uncovered } = changes;
    if (files.length + folders.length + uncovered.length === 0) return;
    const rest = files.slice(INLINE_CHANGES);
    this.#ports.record({
      ...{ type: 'files_changed', optional: true, id, by, files: files.slice(0, INLINE_CHANGES) },
      ...(rest.length > 0 ? { more: { blob: this.#keepList(rest), count: rest.length } } : {}),
      ...(isAllowed ? { allowed: true } : {}),
      ...(folders.length > 0 ? { folders: [...folders] } : {}),
      ...(uncovered.length > 0 ? { uncovered: uncovered.slice(0, UNCOVERED_NAMED) } : {}),
    });
  }
}

const NOT_SEEN = { size: -1, mode: 0o644, mtimeMs: 0 };
