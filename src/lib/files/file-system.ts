import fs from 'node:fs';
import { removeTree } from './remove-tree.ts';

/**
 * The file operations on which everything durable is built. They are synchronous and few, so that a simulated
 * disk can replace them and fail at each one. Errors are Node's own (`code`: ENOSPC, ENOENT, …).
 */
export interface FileSystem {
  readonly platform: NodeJS.Platform;
  /** Opens a file or folder. Never blocks: a pipe, a socket or a device is an error (EFTYPE). */
  open(path: string, flags: string | number, mode?: number): number;
  close(fd: number): void;
  /** The number of bytes read; 0 at the end. */
  read(fd: number, buffer: Uint8Array, position: number): number;
  /** The number of bytes written, possibly fewer than given. */
  write(fd: number, buffer: Uint8Array, position: number): number;
  fsync(fd: number): void;
  fdatasync(fd: number): void;
  ftruncate(fd: number, length: number): void;
  fchmod(fd: number, mode: number): void;
  size(fd: number): number;
  /** The identity of an open file; absent or `null` if it is unknown. */
  identify?(fd: number): FileIdentity | null;
  /** The same for the target of a path, with its size. */
  identifyAt?(path: string): (FileIdentity & { readonly size: number }) | null;
  lstat(path: string): FileInfo;
  stat(path: string): FileInfo;
  realpath(path: string): string;
  rename(from: string, to: string): void;
  link(existing: string, created: string): void;
  /** A copy that shares its bytes until either is written to; throws if that is not supported. */
  clone?(existing: string, created: string): void;
  /** A link to a folder; `target` is absolute. Absent if the file system has no such links. */
  linkFolder?(target: string, created: string): void;
  /** Sets when a file was last changed; absent if that cannot be set. */
  setModified?(path: string, mtimeMs: number): void;
  unlink(path: string): void;
  mkdir(path: string, mode?: number): void;
  rmdir(path: string): void;
  readdir(path: string): string[];
  /**
   * Removes a folder with everything in it, whatever the names and modes; follows no link. Absent where the other
   * operations can remove everything.
   */
  removeTree?(path: string): void;
  /**
   * The names with the kind of each, from a single read of the folder; absent if each must be examined
   * separately.
   */
  kinds?(path: string): NamedEntry[];
}

export interface NamedEntry {
  readonly name: string;
  readonly kind: FileInfo['kind'];
}

/** Equal for two handles on one file, and for no two files that exist at the same time. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

export interface FileInfo {
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs: number;
  /** Hard links to the same bytes. */
  readonly links: number;
  /** When anything about it last changed, including mode and name; absent if that is not recorded. */
  readonly changedMs?: number;
  /** The file's inode; absent or 0 if the file system does not report it. */
  readonly inode?: number;
  /** The numeric id of its owner; absent if unknown. */
  readonly owner?: number;
}

const kindOf = (seen: fs.Stats | fs.Dirent): FileInfo['kind'] =>
  seen.isFile()
    ? 'file'
    : seen.isDirectory()
      ? 'directory'
      : seen.isSymbolicLink()
        ? 'symlink'
        : 'other';

const infoOf = (stats: fs.Stats): FileInfo => ({
  kind: kindOf(stats),
  size: stats.size,
  mode: stats.mode & 0o7777,
  mtimeMs: stats.mtimeMs,
  links: stats.nlink,
  changedMs: stats.ctimeMs,
  inode: stats.ino,
  owner: stats.uid,
});

/** As a bigint, because a 64-bit inode does not fit into a number. */
function identityOf(fd: number): FileIdentity | null {
  const { dev: device, ino: inode } = fs.fstatSync(fd, { bigint: true });
  return inode === 0n ? null : { device, inode };
}

function identityAt(path: string): (FileIdentity & { readonly size: number }) | null {
  const { dev: device, ino: inode, size } = fs.statSync(path, { bigint: true });
  return inode === 0n ? null : { device, inode, size: Number(size) };
}

const CLONE = fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE_FORCE;

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = fs.constants;
const NUMBERS: { readonly [flags: string]: number } = {
  r: O_RDONLY,
  'r+': O_RDWR,
  w: O_TRUNC | O_CREAT | O_WRONLY,
  wx: O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  'w+': O_TRUNC | O_CREAT | O_RDWR,
  'wx+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
  a: O_APPEND | O_CREAT | O_WRONLY,
  ax: O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
  'a+': O_APPEND | O_CREAT | O_RDWR,
  'ax+': O_APPEND | O_CREAT | O_RDWR | O_EXCL,
};

/**
 * Opening a named pipe would block until its other end opens, perhaps forever, and a device may have no end.
 * The opened handle is examined, not the path, which could be swapped in between.
 */
function openWithoutWaiting(path: string, flags: string | number, mode?: number): number {
  const number = typeof flags === 'number' ? flags : NUMBERS[flags];
  if (number === undefined) throw new TypeError(`No file is opened with the flags ${flags}.`);
  let fd: number;
  try {
    fd = fs.openSync(path, number | fs.constants.O_NONBLOCK | fs.constants.O_NOCTTY, mode);
  } catch (error) {
    // A pipe that nobody reads, or a socket.
    throw (error as NodeJS.ErrnoException).code === 'ENXIO' ? noFile(path) : error;
  }
  const stats = fs.fstatSync(fd);
  if (stats.isFile() || stats.isDirectory()) return fd;
  fs.closeSync(fd);
  throw noFile(path);
}

/** Uses the error code that some systems have for this. */
const noFile = (path: string): Error =>
  Object.assign(new Error(`EFTYPE: neither a file nor a folder, open '${path}'`), {
    code: 'EFTYPE',
    syscall: 'open',
  });

const NO_ERROR = { throwIfNoEntry: false } as const;

/** The error that Node would throw. Most lookups of the engine find nothing, and the stack is the expensive part. */
function nothingThere(syscall: string, path: string): never {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error: NodeJS.ErrnoException = new Error(
    `ENOENT: no such file or directory, ${syscall} '${path}'`,
  );
  Error.stackTraceLimit = stackTraceLimit;
  error.code = 'ENOENT';
  error.syscall = syscall;
  error.path = path;
  throw error;
}

/** The real disk. */
export const nodeFileSystem: FileSystem = {
  platform: process.platform,
  open: process.platform === 'win32' ? fs.openSync : openWithoutWaiting,
  close: (fd) => fs.closeSync(fd),
  read: (fd, buffer, position) => fs.readSync(fd, buffer, 0, buffer.length, position),
  write: (fd, buffer, position) => fs.writeSync(fd, buffer, 0, buffer.length, position),
  fsync: (fd) => fs.fsyncSync(fd),
  fdatasync: (fd) => fs.fdatasyncSync(fd),
  ftruncate: (fd, length) => fs.ftruncateSync(fd, length),
  fchmod: (fd, mode) => fs.fchmodSync(fd, mode),
  size: (fd) => fs.fstatSync(fd).size,
  identify: identityOf,
  identifyAt: identityAt,
  lstat: (path) => infoOf(fs.lstatSync(path, NO_ERROR) ?? nothingThere('lstat', path)),
  stat: (path) => infoOf(fs.statSync(path, NO_ERROR) ?? nothingThere('stat', path)),
  realpath: (path) => fs.realpathSync.native(path),
  rename: (from, to) => fs.renameSync(from, to),
  link: (existing, created) => fs.linkSync(existing, created),
  clone: (existing, created) => fs.copyFileSync(existing, created, CLONE),
  // Windows lets everybody make a junction; other systems ignore the kind.
  linkFolder: (target, created) => fs.symlinkSync(target, created, 'junction'),
  setModified: (path, mtimeMs) => fs.utimesSync(path, mtimeMs / 1000, mtimeMs / 1000),
  unlink: (path) => fs.unlinkSync(path),
  mkdir: (path, mode) => void fs.mkdirSync(path, mode),
  rmdir: (path) => fs.rmdirSync(path),
  readdir: (path) => fs.readdirSync(path),
  ...(process.platform === 'win32'
    ? {}
    : { removeTree: (path: string) => removeTree(path, process.platform) }),
  kinds: (path) =>
    fs
      .readdirSync(path, { withFileTypes: true })
      .map((seen) => ({ name: seen.name, kind: kindOf(seen) })),
};
