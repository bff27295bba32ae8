/** What programs in memory import of `node:fs`. */
import { posix } from 'node:path';
import { pathsOf } from '../../src/lib/files/absolute-paths.ts';
import { ensureDirectory } from '../../src/lib/files/durable-files.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { orNull } from '../../src/lib/or-null.ts';

/** @param cwd the folder that paths are relative to */
export function filesInMemory(disk: FileSystem, cwd: string, stdin = '') {
  const at = (path: string): string => pathsOf(disk.platform).join(cwd, ...path.split('/'));
  const readFileSync = (path: string | 0): string => {
    if (path === 0) return stdin;
    const fd = disk.open(at(path), 'r');
    const bytes = Buffer.alloc(disk.size(fd));
    disk.read(fd, bytes, 0);
    disk.close(fd);
    return bytes.toString('utf8');
  };
  const writeFileSync = (path: string, text: string): void => {
    const fd = disk.open(at(path), 'w');
    disk.write(fd, Buffer.from(text), 0);
    disk.close(fd);
  };
  const rmSync = (path: string, { recursive = false, force = false } = {}): void => {
    const there = orNull(() => disk.lstat(at(path)));
    if (there === null && force) return;
    if (there?.kind !== 'directory') disk.unlink(at(path));
    else {
      if (recursive)
        for (const name of disk.readdir(at(path))) rmSync(`${path}/${name}`, { recursive });
      disk.rmdir(at(path));
    }
  };
  /** Without what lies below hidden folders. */
  const filesBelow = (folder: string): readonly string[] =>
    disk.readdir(folder === '' ? cwd : at(folder)).flatMap((name) => {
      const path = posix.join(folder, name);
      if (disk.lstat(at(path)).kind !== 'directory') return [path];
      return name.startsWith('.') ? [] : filesBelow(path);
    });
  return {
    filesBelow,
    readFileSync,
    writeFileSync,
    rmSync,
    copyFileSync: (from: string, to: string) => writeFileSync(to, readFileSync(from)),
    existsSync: (path: string) => orNull(() => disk.lstat(at(path))) !== null,
    mkdirSync: (path: string) => ensureDirectory(disk, at(path)),
    readdirSync: (path: string) => disk.readdir(at(path)),
  };
}
