/** A file system whose folders do not list some files: those in a workspace that are not part of the work. */
import { orNull } from '../or-null.ts';
import { basename, dirname } from './absolute-paths.ts';
import type { FileSystem } from './file-system.ts';

/** The same file system except for `readdir`. `paths` are absolute and need not exist. */
export function hidingFiles(fs: FileSystem, paths: readonly string[]): FileSystem {
  if (paths.length === 0) return fs;
  const hidden = paths.map((path) => ({ folder: realOf(fs, dirname(path)), name: basename(path) }));
  const isSame = (one: string, other: string): boolean =>
    fs.platform === 'linux' ? one === other : one.toLowerCase() === other.toLowerCase();
  const readdir: FileSystem['readdir'] = (path) => {
    const names = fs.readdir(path);
    const near = hidden.filter(({ name }) => names.some((one) => isSame(one, name)));
    if (near.length === 0) return names;
    const folder = realOf(fs, path);
    const here = near.filter((file) => isSame(file.folder, folder));
    return names.filter((name) => !here.some((file) => isSame(file.name, name)));
  };
  return { ...delegating(fs), readdir };
}

/** The operations of any file system as functions that can be replaced one by one. */
export const delegating = (fs: FileSystem): FileSystem => ({
  platform: fs.platform,
  open: (path, flags, mode) => fs.open(path, flags, mode),
  close: (fd) => fs.close(fd),
  read: (fd, buffer, position) => fs.read(fd, buffer, position),
  write: (fd, buffer, position) => fs.write(fd, buffer, position),
  fsync: (fd) => fs.fsync(fd),
  fdatasync: (fd) => fs.fdatasync(fd),
  ftruncate: (fd, length) => fs.ftruncate(fd, length),
  fchmod: (fd, mode) => fs.fchmod(fd, mode),
  size: (fd) => fs.size(fd),
  identify: (fd) => fs.identify?.(fd) ?? null,
  identifyAt: (path) => fs.identifyAt?.(path) ?? null,
  lstat: (path) => fs.lstat(path),
  stat: (path) => fs.stat(path),
  realpath: (path) => fs.realpath(path),
  rename: (from, to) => fs.rename(from, to),
  link: (existing, created) => fs.link(existing, created),
  linkFolder: (target, created) => fs.linkFolder?.(target, created),
  setModified: (path, mtimeMs) => fs.setModified?.(path, mtimeMs),
  unlink: (path) => fs.unlink(path),
  mkdir: (path, mode) => fs.mkdir(path, mode),
  rmdir: (path) => fs.rmdir(path),
  readdir: (path) => fs.readdir(path),
});

const realOf = (fs: FileSystem, path: string): string => orNull(() => fs.realpath(path)) ?? path;
