/**
 * Keeps a second copy of the user's earlier file contents outside the workspace: what is lost with
 * `.agent_context` can be restored from there.
 * 1. A copy is written before the record that leads to the change, and is durable at the same barrier.
 * 2. A small content is part of its line, so the first change of a file costs one more sync and later ones
 *    none.
 * 3. A large content is a separate file: shared with an older copy, cloned, or written anew. Only above
 *    `COPIED_BYTES` is it a hard link to the blob, which a program that writes into the blob would change.
 * 4. Copies are a second safety net: if they fail, the run continues and says so once.
 */

import { encodeLine } from '../../journal/lines/framing.ts';
import { defined } from '../../lib/defined.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { basename, pathsOf } from '../../lib/files/absolute-paths.ts';
import {
  ensureDirectory,
  errorCode,
  fileKindAt,
  makeDirectory,
  replaceLocked,
  writeFully,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { syncFile } from '../../lib/files/with-file.ts';
import type { ProcessIdentity } from '../../lib/process-identity.ts';
import type {
  BeforeImageChange,
  BeforeImageLine,
  BeforeImageOwner,
} from '../../schema/journal/before-image-copies.ts';
import type { JournalRecord } from '../../schema/records.ts';
import { parentFolder } from '../files.ts';
import { type CopyFolder, copyFolderOf, readIndex, writeAbout } from './copy-folder.ts';
import { copyLinesOf, leadsToChanges } from './copy-lines.ts';
import { manifestIfGood } from './packs.ts';
import { COPY_SIZE_LIMITS, type CopySizeLimits, type Sweeper, sweeperOf } from './sweep-copies.ts';

/** Writes copies along with the records of a journal. */
export interface BeforeImageCopies {
  /** Called before the record is written. Never throws for errors of the disk. */
  take(record: JournalRecord): void;
  /** Called at a barrier, before the journal's own sync. */
  sync(): void;
  close(): void;
}

export interface CopyPorts {
  readonly fs: FileSystem;
  /** The folder of all copies of this user; absolute, and outside the workspace. */
  readonly root: string;
  readonly about: Pick<BeforeImageOwner, 'workspace' | 'kind' | 'id' | 'number' | 'title'>;
  readonly identity: ProcessIdentity;
  now(): number;
  readonly blobs: {
    read(hash: string): Uint8Array;
    sizeOf(hash: string): number | null;
  };
  /** Absolute; the folder of the blobs. */
  readonly blobsFolder: string;
  warn(text: string): void;
  readonly limits?: CopySizeLimits;
}

const INLINE_BYTES = 256 * 1024;
const COPIED_BYTES = 8 * 1024 * 1024;

interface Opened {
  readonly fd: number;
  readonly sweeper: Sweeper;
  end: number;
  checksum: number;
  /** Bytes of contents that are separate files. */
  bytes: number;
}

export class CopyWriter implements BeforeImageCopies {
  readonly #ports: CopyPorts;
  readonly #place: CopyFolder;
  #opened: Opened | null = null;
  #isStopped = false;
  #isFull = false;
  /** Contents that can be read back from here. */
  readonly #known = new Set<string>();
  /** What each file holds since its last change. */
  readonly #left = new Map<string, string | null | undefined>();
  readonly #commands = new Set<string>();
  /** Files that are written and not synced; an empty name stands for the index. */
  readonly #unsynced = new Set<string>();

  constructor(ports: CopyPorts) {
    this.#ports = ports;
    this.#place = copyFolderOf(ports.fs, ports.root, ports.about);
  }

  take(record: JournalRecord): void {
    if (this.#isStopped || !leadsToChanges(record)) return;
    this.#orStop(() => {
      const known = { commands: this.#commands, left: this.#left };
      for (const line of copyLinesOf(record, known, this.#ports.blobs)) this.#add(line);
    });
  }

  sync(): void {
    if (this.#isStopped || this.#unsynced.size === 0) return;
    this.#orStop(() => {
      const { fs } = this.#ports;
      for (const file of this.#unsynced)
        if (file !== this.#place.index) syncFile(fs, file);
        else if (this.#opened !== null) fs.fdatasync(this.#opened.fd);
      this.#unsynced.clear();
    });
  }

  close(): void {
    if (this.#opened === null) return;
    this.#ports.fs.close(this.#opened.fd);
    this.#opened = null;
    this.#isStopped = true;
  }

  #add(line: BeforeImageLine): void {
    this.#opened ??= this.#open();
    switch (line.type) {
      case 'change':
        this.#addChange(line, this.#opened);
        break;
      case 'files_kept':
        this.#takeManifest(line.manifest, this.#opened);
        this.#write(line, this.#opened);
        this.#unsynced.add(this.#place.index);
        break;
      case 'command_began':
      case 'command_ended':
        this.#write(line, this.#opened);
        this.#learn(line);
    }
  }

  /** Invariant 2: content that the run itself left belongs to nobody. */
  #addChange(change: BeforeImageChange, opened: Opened): void {
    const { before, path } = change;
    const isOurs = this.#left.get(path) === before;
    const isNew = before !== null && !isOurs && !this.#known.has(before);
    const size = isNew ? this.#ports.blobs.sizeOf(before) : null;
    const isKept = isNew && size !== null && this.#hasRoom(size, opened);
    if (isKept && size > INLINE_BYTES) this.#takeFile(before, size, opened);
    const isInline = isKept && size <= INLINE_BYTES;
    const content = isInline
      ? Buffer.from(this.#ports.blobs.read(before)).toString('base64')
      : undefined;
    this.#write({ ...change, ...defined({ content }) }, opened);
    if (isKept) this.#known.add(before);
    if (isKept) this.#unsynced.add(this.#place.index);
    this.#learn(change);
  }

  #takeManifest(blob: string, opened: Opened): void {
    const { blobs } = this.#ports;
    const manifest = manifestIfGood(blob, (hash) => blobs.read(hash));
    if (manifest === null) return;
    const sizes = [blob, ...manifest.packs.map((pack) => pack.blob)].map(
      (hash) => [hash, blobs.sizeOf(hash) ?? 0] as const,
    );
    const all = sizes.reduce((sum, [hash, size]) => sum + (this.#known.has(hash) ? 0 : size), 0);
    if (!this.#hasRoom(all, opened)) return;
    for (const [hash, size] of sizes) this.#takeFile(hash, size, opened);
    for (const { hash } of manifest.files) this.#known.add(hash);
  }

  #hasRoom(more: number, { sweeper, end, bytes }: Opened): boolean {
    if (sweeper.makeRoom(end + bytes, more)) return true;
    if (!this.#isFull) this.#ports.warn(`${NOT_COPIED}: it would be too much for one folder.`);
    this.#isFull = true;
    return false;
  }

  /** Invariant 3. */
  #takeFile(hash: string, size: number, opened: Opened): void {
    if (this.#known.has(hash)) return;
    const { fs, blobs, blobsFolder } = this.#ports;
    const { join } = pathsOf(fs.platform);
    const target = join(this.#place.contents, hash);
    const blob = join(blobsFolder, hash);
    makeDirectory(fs, this.#place.contents);
    const isShared =
      fileKindAt(fs, target) !== null ||
      this.#olderCopies(hash).some((copy) => worked(() => fs.link(copy, target))) ||
      worked(() => cloned(fs, blob, target)) ||
      (size > COPIED_BYTES && worked(() => fs.link(blob, target)));
    if (!isShared) {
      replaceLocked(fs, target, blobs.read(hash), { isSynced: false });
      this.#unsynced.add(target);
    }
    this.#known.add(hash);
    opened.bytes += size;
  }

  #olderCopies(hash: string): readonly string[] {
    const { fs } = this.#ports;
    const { join } = pathsOf(fs.platform);
    const near = parentFolder(fs, this.#place.folder);
    return fs
      .readdir(near)
      .filter((name) => name !== this.#ports.about.id)
      .map((name) => join(near, name, basename(this.#place.contents), hash))
      .filter((file) => fileKindAt(fs, file) === 'file');
  }

  #open(): Opened {
    const { fs, root, about, identity, limits = COPY_SIZE_LIMITS } = this.#ports;
    ensureDirectory(fs, root);
    makeDirectory(fs, parentFolder(fs, this.#place.folder));
    makeDirectory(fs, this.#place.folder);
    const { lines, end, checksum } = readIndex(fs, this.#place);
    const { host, boot, pidNamespace, pid } = identity;
    const startTime = fs.platform === 'win32' ? '' : (identity.startTimeOf(pid) ?? '');
    const owner = { host, boot, pidNamespace, pid, startTime, since: this.#ports.now() };
    writeAbout(fs, this.#place, { version: 1, ...about, owner, isUndone: false });
    const isThere = fileKindAt(fs, this.#place.index) !== null;
    const fd = fs.open(this.#place.index, isThere ? 'r+' : 'wx+', 0o600);
    // Removes a line that a crash cut off.
    if (fs.size(fd) > end) fs.ftruncate(fd, end);
    for (const line of lines) this.#learn(line);
    const names =
      fileKindAt(fs, this.#place.contents) === null ? [] : fs.readdir(this.#place.contents);
    const files = names.map((name) => pathsOf(fs.platform).join(this.#place.contents, name));
    const bytes = files.reduce((sum, file) => sum + fs.stat(file).size, 0);
    const sweeper = sweeperOf({ fs, root, limits, now: owner.since }, this.#place, identity);
    return { fd, sweeper, end, checksum, bytes };
  }

  #write(line: BeforeImageLine, opened: Opened): void {
    const { bytes, checksum } = encodeLine(line, opened.checksum);
    writeFully(this.#ports.fs, opened.fd, bytes, opened.end);
    opened.end += bytes.length;
    opened.checksum = checksum;
  }

  #learn(line: BeforeImageLine): void {
    switch (line.type) {
      case 'change':
        this.#left.set(line.path, line.after);
        if (line.before !== null && line.content !== undefined) this.#known.add(line.before);
        break;
      case 'command_began':
        this.#commands.add(line.id);
        break;
      case 'command_ended':
        this.#commands.delete(line.id);
        break;
      case 'files_kept':
        break;
    }
  }

  /** Invariant 4. An error that does not come from the disk is ours, and is thrown. */
  #orStop(work: () => void): void {
    try {
      work();
    } catch (error) {
      const code = errorCode(error instanceof TardigradeError ? error.cause : error);
      const isGone = error instanceof TardigradeError && error.code === 'E_JOURNAL_CORRUPT';
      if (code === '' && !isGone) throw error;
      this.#isStopped = true;
      this.#ports.warn(`${NOT_COPIED} (${isGone ? 'a blob is gone' : code}).`);
    }
  }
}

const NOT_COPIED = 'What files held before is kept in .agent_context only, not a second time';

function cloned(fs: FileSystem, existing: string, created: string): void {
  if (fs.clone === undefined) throw Object.assign(new Error('no clones'), { code: 'ENOTSUP' });
  fs.clone(existing, created);
}

/** Whether the file system supported it. */
function worked(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return false;
  }
}
