import type { FileSystem } from './file-system.ts';

/** Opens a file, uses it and closes it, whatever happens in between. */
export function withFile<Value>(
  fs: FileSystem,
  path: string,
  use: (fd: number) => Value,
  flags: Parameters<FileSystem['open']>[1] = 'r',
  mode?: number,
): Value {
  const fd = fs.open(path, flags, mode);
  try {
    return use(fd);
  } finally {
    fs.close(fd);
  }
}

/** Makes the bytes of an existing file durable. Windows syncs only handles that may write. */
export function syncFile(fs: FileSystem, path: string): void {
  withFile(fs, path, (fd) => fs.fsync(fd), fs.platform === 'win32' ? 'r+' : 'r');
}

/** Sets who may do what with a file or folder; not on Windows. */
export function setMode(fs: FileSystem, path: string, mode: number): void {
  if (fs.platform !== 'win32') withFile(fs, path, (fd) => fs.fchmod(fd, mode));
}
