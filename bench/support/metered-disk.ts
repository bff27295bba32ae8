import { type FileSystem, nodeFileSystem } from '../../src/lib/file-system.ts';

/** The real disk with a meter on what durability costs. */
export interface MeteredDisk {
  readonly fs: FileSystem;
  readonly meter: { syncCalls: number; syncMs: number; writtenBytes: number };
}

export function meteredDisk(): MeteredDisk {
  const meter = { syncCalls: 0, syncMs: 0, writtenBytes: 0 };
  const timed = (sync: (fd: number) => void) => (fd: number) => {
    const started = performance.now();
    sync(fd);
    meter.syncMs += performance.now() - started;
    meter.syncCalls += 1;
  };
  const fs: FileSystem = {
    ...nodeFileSystem,
    fsync: timed(nodeFileSystem.fsync),
    fdatasync: timed(nodeFileSystem.fdatasync),
    write: (fd, buffer, position) => {
      const written = nodeFileSystem.write(fd, buffer, position);
      meter.writtenBytes += written;
      return written;
    },
  };
  return { fs, meter };
}
