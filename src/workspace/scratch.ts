/**
 * The engine's scratch copy of the workspace, in which commands may do anything.
 * 1. Files are copied; links and everything else that leads elsewhere are left out. Nothing in the copy lets
 *    a command write into the workspace. A link to a package of the workspace itself leads to the package in
 *    the copy. On request, so do other links to copied files, and the copy gets links to the installed
 *    packages of the workspace.
 * 2. A copy is made anew for each use, because the previous command may have changed it. The caches of a
 *    build stay: the copied files are newer, so they are built again, but their dependencies are not.
 * 3. Removing it follows no link, not even one in place of the copy itself.
 */
import { createHash } from 'node:crypto';
import { pathsOf } from '../lib/files/absolute-paths.ts';
import {
  errorCode,
  isDiskFull,
  isExhausted,
  orMissing,
  setMode,
  storageError,
  writeWholeFile,
} from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { type Interruptible, type InterruptibleRunner, isInterrupt } from '../lib/interruptible.ts';
import { cacheTag, isBuiltByCMake } from './cache-folders.ts';
import { isRefusal, readBytes } from './files.ts';
import { type LinkRequest, linkCopied, linkInstalled, linkPackages } from './link-packages.ts';
import { relocateBuild } from './relocated-build.ts';
import { entriesOf } from './walk.ts';

export interface CopyLimits {
  readonly files: number;
  readonly bytes: number;
}

export const COPY_LIMITS: CopyLimits = { files: 2_000, bytes: 50 * 1024 * 1024 };

/** The folder of the copy is emptied first. */
export interface CopyRequest extends LinkRequest {
  /** True for what is not copied: dependencies, caches, our own state. */
  isLeftOut(path: string, name: string): boolean;
  /** Files that differ in this copy, relative with `/`; `null`: the file is left out. */
  readonly changes: ReadonlyMap<string, Uint8Array | null>;
  /** True for a folder with the cache of a build, such as cargo's `target`: the next copy has it, too. */
  isBuildCache?(name: string): boolean;
  /** Folders in which builds by full paths were set up, once the files are copied; the copy has such builds of its own. */
  relocated?(): Iterable<string>;
  /** True to have the links of the workspace that lead to copied files. */
  readonly hasLinks?: true;
  /** True to have links to the installed packages, for commands that name one by its path. */
  readonly hasInstalled?: true | undefined;
  /** Pauses between two files, so that an interrupt is noticed. */
  readonly runInterruptibly: InterruptibleRunner;
}

export const tooManyFor = ({ files, bytes }: CopyLimits = COPY_LIMITS): string =>
  `it has more than ${files} files or ${bytes / 1024 / 1024} MB`;

export type Copied =
  /**
   * `tree` is a hash of the workspace's files without the changes; it also tells whether packages are linked.
   */
  | { readonly kind: 'copied'; readonly tree: string; readonly isCold?: boolean }
  | { readonly kind: 'not_possible'; readonly why: string };

const INTERRUPTED: Copied = { kind: 'not_possible', why: 'the run was interrupted' };

/**
 * A copy that cannot be made proves nothing and harms nothing. Throws E_DISK_FULL and E_IO if the disk is full
 * or fails, or if handles or memory run out: that says nothing about the work, and passes.
 */
export async function copyWorkspace(
  request: CopyRequest,
  limits: CopyLimits = COPY_LIMITS,
): Promise<Copied> {
  try {
    return await request.runInterruptibly(copying(request, limits));
  } catch (error) {
    // The partial copy is removed like any other.
    if (isInterrupt(error)) return INTERRUPTED;
    const code = errorCode(error);
    if (code === '') throw error;
    if (isDiskFull(error) || isExhausted(error) || code === 'EIO') {
      await sweepWhatThereIs(request);
      throw storageError(error, 'copying the workspace for a trial');
    }
    return { kind: 'not_possible', why: `the system answered ${code}` };
  }
}

/** Frees its space, if the disk permits it. */
async function sweepWhatThereIs({ fs, folder, runInterruptibly }: CopyRequest): Promise<void> {
  try {
    await runInterruptibly(sweepFolder(fs, folder));
  } catch {
    // The next start removes the rest.
  }
}

function* copying(request: CopyRequest, limits: CopyLimits): Interruptible<Copied> {
  yield* sweepButCaches(request);
  const links: string[] = [];
  const onLink = (path: string): unknown => links.push(path);
  const found = yield* copiedFiles({ ...request, onLink }, limits);
  if (found === null) return { kind: 'not_possible', why: tooManyFor(limits) };
  const tree = yield* copyFiles(found, request);
  for (const path of request.relocated?.() ?? []) yield* relocateBuild(request, path);
  yield* linkPackages(request);
  if (request.hasLinks) yield* linkCopied(request, links);
  const isMore = request.hasInstalled === true && (yield* linkInstalled(request));
  return { kind: 'copied', tree: isMore ? `${tree}+installed` : tree };
}

/** A file of the copy. */
export interface CopiedFile {
  readonly path: string;
  readonly mode: number;
}

/** The files of a copy in a stable order; `null`: more than a copy may have. */
export function* copiedFiles(
  request: Pick<CopyRequest, 'fs' | 'workspace' | 'isLeftOut'> & {
    onLink?(path: string): unknown;
  },
  limits: CopyLimits = COPY_LIMITS,
): Interruptible<readonly CopiedFile[] | null> {
  const files: CopiedFile[] = [];
  let bytes = 0;
  const { join } = pathsOf(request.fs.platform);
  const isWithin = function* (folder: string, prefix: string): Interruptible<boolean> {
    for (const { path: name, info } of entriesOf(request.fs, folder)) {
      yield;
      const path = prefix + name;
      if (request.isLeftOut(path, name)) continue;
      if (info.kind === 'directory') {
        if (!(yield* isWithin(join(folder, name), `${path}/`))) return false;
      } else if (info.kind === 'file') {
        bytes += info.size;
        files.push({ path, mode: info.mode });
        if (files.length > limits.files || bytes > limits.bytes) return false;
      } else if (info.kind === 'symlink') request.onLink?.(path);
    }
    return true;
  };
  return (yield* isWithin(request.workspace, '')) ? files : null;
}

function* copyFiles(found: readonly CopiedFile[], request: CopyRequest): Interruptible<string> {
  const { fs, workspace, folder, changes } = request;
  const { join } = pathsOf(fs.platform);
  const hash = createHash('sha256');
  const made = new Set<string>();
  if (orMissing(() => fs.lstat(folder)) === null) fs.mkdir(folder, 0o700);
  for (const { path, mode } of found) {
    yield;
    const bytes = readBytes(fs, join(workspace, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
    if (!changes.has(path)) write(request, made, { path, bytes, mode });
  }
  // A build must see changed files as newer than its outputs, and a disk's clock may stand still between two
  // files.
  const last = found.findLast(({ path }) => !changes.has(path))?.path;
  const newest = last === undefined ? null : fs.lstat(join(folder, last)).mtimeMs;
  const modes = new Map(found.map(({ path, mode }) => [path, mode]));
  for (const [path, bytes] of changes) {
    if (bytes === null) continue;
    write(request, made, { path, bytes, mode: modes.get(path) ?? 0o644 });
    if (newest !== null) fs.setModified?.(join(folder, path), newest + NEWER_MS);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Less than a command takes to start, so that no file has a future time. */
const NEWER_MS = 1;

/** Not synced, because after a crash the copy is removed. */
function write(
  { fs, folder }: CopyRequest,
  made: Set<string>,
  file: CopiedFile & { readonly bytes: Uint8Array },
): void {
  const { join } = pathsOf(fs.platform);
  const parts = file.path.split('/');
  for (let count = 1; count < parts.length; count += 1) {
    const parent = parts.slice(0, count).join('/');
    if (!made.has(parent)) fs.mkdir(join(folder, parent), 0o700);
    made.add(parent);
  }
  const mode = (file.mode & 0o777) | 0o600;
  writeWholeFile(fs, join(folder, file.path), file.bytes, { flags: 'wx', mode });
}

/** Removes what the last command left, except the caches of a build, which take long to make anew. */
function* sweepButCaches({ fs, folder, isBuildCache }: CopyRequest): Interruptible<void> {
  const { join } = pathsOf(fs.platform);
  const isThere = orMissing(() => fs.lstat(folder))?.kind === 'directory';
  const isKept = (name: string): boolean =>
    isBuildCache?.(name) === true &&
    fs.lstat(join(folder, name)).kind === 'directory' &&
    (cacheTag(fs, join(folder, name)) !== null || isBuiltByCMake(fs, join(folder, name)));
  const names = isThere && isBuildCache ? fs.readdir(folder) : [];
  if (!names.some(isKept)) return yield* sweepFolder(fs, folder);
  for (const name of names) if (!isKept(name)) yield* sweepFolder(fs, join(folder, name));
}

/** Removes a folder with everything in it; does nothing if there is none. */
export function* sweepFolder(fs: FileSystem, folder: string): Interruptible<void> {
  yield;
  const info = orMissing(() => fs.lstat(folder));
  if (info === null) return;
  if (info.kind !== 'directory') return fs.unlink(folder);
  if ((info.mode & OWNERS) !== OWNERS) unlock(fs, folder, info.mode);
  const { join } = pathsOf(fs.platform);
  try {
    for (const name of fs.readdir(folder)) yield* sweepFolder(fs, join(folder, name));
    fs.rmdir(folder);
  } catch (error) {
    // A command may have made names that are not UTF-8, or folders that may not be read.
    if (fs.removeTree === undefined || errorCode(error) === '' || isInterrupt(error)) throw error;
    fs.removeTree(folder);
  }
}

const OWNERS = 0o700;

/** A command may have taken the right to write from a folder of its own. */
function unlock(fs: FileSystem, folder: string, mode: number): void {
  try {
    setMode(fs, folder, (mode & 0o777) | OWNERS);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}
