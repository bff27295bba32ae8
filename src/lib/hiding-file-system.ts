/** A file system whose folders do not show some files: for what lies in a workspace and is no work. */
import { basename, dirname } from 'node:path';
import type { FileSystem } from './file-system.ts';

/** The same, but for `readdir`. `paths` are absolute; they need not exist. */
export function withoutFiles(fs: FileSystem, paths: readonly string[]): FileSystem {
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
  // Whatever kind of object it is, all else stays its own.
  return Object.assign(Object.create(fs) as FileSystem, { readdir });
}

function realOf(fs: FileSystem, path: string): string {
  try {
    return fs.realpath(path);
  } catch {
    return path;
  }
}
