/** A file system that finds a name in whatever case it is asked for, as those of macOS and Windows do. */
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { delegating } from '../../src/lib/files/hiding-file-system.ts';

/** @param fs with `/` between names */
export function caseless(fs: FileSystem): FileSystem {
  const place = (path: string): string => {
    const names = path.split('/').filter((name) => name !== '');
    return names.reduce(
      (folder, name) => `${folder === '/' ? '' : folder}/${nameIn(fs, folder, name)}`,
      '/',
    );
  };
  const parts = (path: string) => {
    const at = path.lastIndexOf('/');
    return { folder: place(path.slice(0, at)), name: path.slice(at + 1) };
  };
  return {
    ...delegating(fs),
    platform: 'darwin',
    open: (path, flags, mode) => fs.open(place(path), flags, mode),
    identifyAt: (path) => fs.identifyAt?.(place(path)) ?? null,
    lstat: (path) => fs.lstat(place(path)),
    stat: (path) => fs.stat(place(path)),
    realpath: (path) => fs.realpath(place(path)),
    rename: (from, to) => {
      const { folder, name } = parts(to);
      const target =
        place(from) === place(to) ? `${folder === '/' ? '' : folder}/${name}` : place(to);
      fs.rename(place(from), target);
    },
    link: (existing, created) => fs.link(place(existing), place(created)),
    unlink: (path) => fs.unlink(place(path)),
    mkdir: (path, mode) => fs.mkdir(place(path), mode),
    rmdir: (path) => fs.rmdir(place(path)),
    readdir: (path) => fs.readdir(place(path)),
  };
}

function nameIn(fs: FileSystem, folder: string, name: string): string {
  try {
    const names = fs.readdir(folder);
    const isSame = (one: string): boolean => one.toLowerCase() === name.toLowerCase();
    return names.includes(name) ? name : (names.find(isSame) ?? name);
  } catch {
    return name;
  }
}
