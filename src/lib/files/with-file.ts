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
