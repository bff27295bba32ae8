/**
 * The engine's scratch copy of the workspace, in which commands may do anything.
 * 1. Files are copied; links and everything else that leads elsewhere are left out. Nothing in the copy lets
 *    a command write into the workspace. A link to a package of the workspace itself leads to the package in
 *    the copy. On request, so do other links to copied files, and the copy gets links to the installed
 *    packages of the workspace.
 * 2. A copy is as new for each use, because the previous command may have changed it: a file that stays gets
 *    the time at which it would have been written. The caches of a build stay: the copied files are newer, so
 *    they are built again, but their dependencies are not.
 * 3. Removing it follows no link, not even one in place of the copy itself.
 */
import { createHash } from 'node:crypto';
import { pathsOf } from '../lib/files/absolute-paths.ts';
import {
  errorCode,
  isDiskFull,
  isExhausted,
  orMissing,
  storageError,
  writeWholeFile,
} from '../lib/files/durable-files.ts';
import type { FileInfo, FileSystem } from '../lib/files/file-system.ts';
import { type Interruptible, type InterruptibleRunner, isInterrupt } from '../lib/interruptible.ts';
import { sha256 } from '../lib/sha256.ts';
import { cacheTag, isBuiltByCMake } from './cache-folders.ts';
import { COPY_LIMITS, type CopyLimits, tooManyFor } from './copy-limits.ts';
import { readBytes } from './files.ts';
import { holdsSource, type KeptCopy } from './kept-copy.ts';
import { type LinkRequest, linkCopied, linkInstalled, linkPackages } from './link-packages.ts';
import { relocateBuild } from './relocated-build.ts';
import { sweepFolder } from './sweep-folder.ts';
import { entriesOf } from './walk.ts';

/** Writing so many files takes seconds. */
const MANY_FILES = 5_000;

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
  /** Called before many files are written. */
  onMany?(files: number): void;
  /** What is known of the copy before; left out: every file is written anew. */
  readonly kept?: KeptCopy;
  /** Pauses between two files, so that an interrupt is noticed. */
  readonly runInterruptibly: InterruptibleRunner;
}

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
  const links: string[] = [];
  const onLink = (path: string): unknown => links.push(path);
  const found = yield* copiedFiles({ ...request, onLink }, limits);
  const staying = yield* clear(request, found ?? []);
  if (found === null) return { kind: 'not_possible', why: tooManyFor(limits) };
  if (found.length - staying.files.size > MANY_FILES) request.onMany?.(found.length);
  const tree = yield* copyFiles(found, staying, request);
  for (const path of request.relocated?.() ?? []) yield* relocateBuild(request, path);
  yield* linkPackages(request);
  if (request.hasLinks) yield* linkCopied(request, links);
  const isMore = request.hasInstalled === true && (yield* linkInstalled(request));
  request.kept?.complete();
  return { kind: 'copied', tree: isMore ? `${tree}+installed` : tree };
}

/** A file of the copy. */
export interface CopiedFile {
  readonly path: string;
  readonly info: FileInfo;
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
        files.push({ path, info });
        if (files.length > limits.files || bytes > limits.bytes) return false;
      } else if (info.kind === 'symlink') request.onLink?.(path);
    }
    return true;
  };
  return (yield* isWithin(request.workspace, '')) ? files : null;
}

function* copyFiles(
  found: readonly CopiedFile[],
  { files: staying, folders: made }: Staying,
  request: CopyRequest,
): Interruptible<string> {
  const { fs, workspace, folder, changes, kept } = request;
  const { join } = pathsOf(fs.platform);
  const tree = createHash('sha256');
  if (orMissing(() => fs.lstat(folder)) === null) fs.mkdir(folder, 0o700);
  let newest: number | null = null;
  for (const { path, info } of found) {
    yield;
    const known = kept?.sourceHash(path, info) ?? null;
    const stays = known !== null && staying.has(path);
    const startedAt = kept?.now() ?? 0;
    const bytes = stays ? null : readBytes(fs, join(workspace, path));
    const hash = bytes === null ? (known ?? '') : sha256(bytes);
    tree.update(`${path}\0${hash}\0`);
    if (bytes !== null) kept?.read(path, info, hash, startedAt);
    if (changes.has(path)) continue;
    if (bytes === null) fs.setModified?.(join(folder, path), startedAt);
    else write(request, made, { path, bytes, mode: info.mode });
    const seen = fs.lstat(join(folder, path));
    kept?.has(path, hash, seen);
    newest = Math.max(newest ?? 0, seen.mtimeMs);
  }
  const modes = new Map(found.map(({ path, info }) => [path, info.mode]));
  for (const [path, bytes] of changes) {
    if (bytes === null) continue;
    write(request, made, { path, bytes, mode: modes.get(path) ?? 0o644 });
    // A build must see changed files as newer than its outputs, and a disk's clock may stand still between two
    // files.
    if (newest !== null) fs.setModified?.(join(folder, path), newest + NEWER_MS);
  }
  return tree.digest('hex').slice(0, 16);
}

/** Less than a command takes to start, so that no file has a future time. */
const NEWER_MS = 1;

/** Not synced, because after a crash the copy is removed. */
function write(
  { fs, folder }: CopyRequest,
  made: Set<string>,
  file: { readonly path: string; readonly bytes: Uint8Array; readonly mode: number },
): void {
  const { join } = pathsOf(fs.platform);
  for (const parent of foldersAbove(file.path)) {
    if (!made.has(parent)) fs.mkdir(join(folder, parent), FOLDER_MODE);
    made.add(parent);
  }
  const mode = (file.mode & 0o777) | 0o600;
  writeWholeFile(fs, join(folder, file.path), file.bytes, { flags: 'wx', mode });
}

const FOLDER_MODE = 0o700;

/** The folders above a path, outermost first. */
const foldersAbove = (path: string): readonly string[] => {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
};

/** What is in the copy already, by path. */
interface Staying {
  readonly files: ReadonlySet<string>;
  readonly folders: Set<string>;
}

/** Removes all of the copy before, except the caches of a build and files that hold what is to be copied. */
function* clear(request: CopyRequest, found: readonly CopiedFile[]): Interruptible<Staying> {
  const { fs, folder, changes, kept } = request;
  const earlier = kept?.begin();
  const nothing: Staying = { files: new Set(), folders: new Set() };
  const isCopyThere = isAsMade(
    fs,
    orMissing(() => fs.lstat(folder)),
  );
  if (!kept || !earlier?.size || !fs.setModified || !isCopyThere) {
    yield* sweepButCaches(request);
    return nothing;
  }
  const { join } = pathsOf(fs.platform);
  const sources = new Map(found.map(({ path, info }) => [path, info]));
  const staysOut = (path: string): boolean => changes.get(path) === null;
  const wanted = new Set(found.flatMap(({ path }) => (staysOut(path) ? [] : foldersAbove(path))));
  const isToStay = (path: string, copy: FileInfo): boolean => {
    const source = sources.get(path);
    if (source === undefined || copy.kind !== 'file' || changes.has(path)) return false;
    return holdsSource(earlier.get(path), copy, kept.sourceHash(path, source));
  };
  /** `null`: the folder may hold a name that cannot be read, such as one that is not UTF-8. */
  const stayingIn = function* (at: string, prefix: string): Interruptible<string[] | null> {
    const staying: string[] = [];
    for (const name of fs.readdir(at)) {
      yield;
      const path = prefix + name;
      if (prefix === '' && isBuildCacheOf(request, name)) continue;
      const info = orMissing(() => fs.lstat(join(at, name)));
      if (info === null) return null;
      const below =
        wanted.has(path) && isAsMade(fs, info)
          ? yield* stayingIn(join(at, name), `${path}/`)
          : null;
      if (below !== null) staying.push(`${path}/`, ...below);
      else if (isToStay(path, info)) staying.push(path);
      else yield* sweepFolder(fs, join(at, name));
    }
    return staying;
  };
  const staying = yield* stayingIn(folder, '');
  if (staying === null) {
    yield* sweepFolder(fs, folder);
    return nothing;
  }
  const folders = staying.flatMap((path) => (path.endsWith('/') ? path.slice(0, -1) : []));
  return { files: new Set(staying), folders: new Set(folders) };
}

/** True for a folder of the copy that no command made inaccessible. */
const isAsMade = ({ platform }: FileSystem, info: FileInfo | null): boolean =>
  info?.kind === 'directory' && (platform === 'win32' || (info.mode & 0o777) === FOLDER_MODE);

/** Removes what the last command left, except the caches of a build, which take long to make anew. */
function* sweepButCaches(request: CopyRequest): Interruptible<void> {
  const { fs, folder, isBuildCache } = request;
  const { join } = pathsOf(fs.platform);
  const isThere = orMissing(() => fs.lstat(folder))?.kind === 'directory';
  const names = isThere && isBuildCache ? fs.readdir(folder) : [];
  const isKept = (name: string): boolean => isBuildCacheOf(request, name);
  if (!names.some(isKept)) return yield* sweepFolder(fs, folder);
  for (const name of names) if (!isKept(name)) yield* sweepFolder(fs, join(folder, name));
}

function isBuildCacheOf({ fs, folder, isBuildCache }: CopyRequest, name: string): boolean {
  if (isBuildCache?.(name) !== true) return false;
  const at = pathsOf(fs.platform).join(folder, name);
  const isFolder = fs.lstat(at).kind === 'directory';
  return isFolder && (cacheTag(fs, at) !== null || isBuiltByCMake(fs, at));
}
