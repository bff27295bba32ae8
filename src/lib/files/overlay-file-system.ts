/**
 * Combines two file systems: everything at or below one folder is in the upper one, everything else in the
 * lower one.
 */
import { sep } from 'node:path';
import type { FileSystem } from './file-system.ts';
import { delegating } from './hiding-file-system.ts';
import { fileSystemError } from './memory-file-system.ts';

/** Handles of the upper one start here, far above the number that a process can have. */
const UPPER = 1_000_000_000;

/** @param root absolute; it need not exist in `lower`, of which nothing at or below it is visible */
export function overlaid(lower: FileSystem, upper: FileSystem, root: string): FileSystem {
  const separator = lower.platform === 'win32' ? '\\' : lower.platform === 'linux' ? '/' : sep;
  const isUpper = (path: string): boolean => path === root || path.startsWith(root + separator);
  const at = (path: string): FileSystem => (isUpper(path) ? upper : lower);
  const handled =
    <Value>(operation: (fs: FileSystem, fd: number) => Value) =>
    (fd: number): Value =>
      fd >= UPPER ? operation(upper, fd - UPPER) : operation(lower, fd);
  const within = (one: string, other: string, operation: string): FileSystem => {
    if (isUpper(one) !== isUpper(other)) throw fileSystemError('EXDEV', operation, one);
    return at(one);
  };
  return {
    ...delegating(lower),
    open: (path, flags, mode) =>
      isUpper(path) ? upper.open(path, flags, mode) + UPPER : lower.open(path, flags, mode),
    close: handled((fs, fd) => fs.close(fd)),
    read: (fd, buffer, position) => handled((fs, own) => fs.read(own, buffer, position))(fd),
    write: (fd, buffer, position) => handled((fs, own) => fs.write(own, buffer, position))(fd),
    fsync: handled((fs, fd) => fs.fsync(fd)),
    fdatasync: handled((fs, fd) => fs.fdatasync(fd)),
    ftruncate: (fd, length) => handled((fs, own) => fs.ftruncate(own, length))(fd),
    fchmod: (fd, mode) => handled((fs, own) => fs.fchmod(own, mode))(fd),
    size: handled((fs, fd) => fs.size(fd)),
    identify: handled((fs, fd) => fs.identify?.(fd) ?? null),
    identifyAt: (path) => at(path).identifyAt?.(path) ?? null,
    lstat: (path) => at(path).lstat(path),
    stat: (path) => at(path).stat(path),
    realpath: (path) => at(path).realpath(path),
    rename: (from, to) => within(from, to, 'rename').rename(from, to),
    link: (existing, created) => within(existing, created, 'link').link(existing, created),
    unlink: (path) => at(path).unlink(path),
    mkdir: (path, mode) => at(path).mkdir(path, mode),
    rmdir: (path) => at(path).rmdir(path),
    readdir: (path) => at(path).readdir(path),
  };
}
