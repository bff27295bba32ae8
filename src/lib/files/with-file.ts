/** Opens a file, uses it and closes it, whatever happens in between. */
import { writeFully } from './durable-files.ts';
import type { FileSystem } from './file-system.ts';

export function withFile<Value>(fs: FileSystem, path: string, use: (fd: number) => Value): Value {
  return using(fs, fs.open(path, 'r'), use);
}

/** Writes a whole file, without syncing it. */
export const writeFile = (
  fs: FileSystem,
  path: string,
  bytes: Uint8Array,
  { flags = 'w' as 'w' | 'wx', mode = 0o600 } = {},
): void => using(fs, fs.open(path, flags, mode), (fd) => writeFully(fs, fd, bytes, 0));

function using<Value>(fs: FileSystem, fd: number, use: (fd: number) => Value): Value {
  try {
    return use(fd);
  } finally {
    fs.close(fd);
  }
}
