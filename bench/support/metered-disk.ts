import { type FileSystem, nodeFileSystem } from '../../src/lib/files/file-system.ts';

/** The real disk with a meter on what durability costs. */
export interface MeteredDisk {
  readonly fs: FileSystem;
  readonly meter: Meter;
}

export interface Meter {
  /** Syncs of files and folders, whoever asked for them. */
  syncCalls: number;
  /** Those of them that were of the journal. */
  journalSyncs: number;
  syncMs: number;
  writtenBytes: number;
}

export function meteredDisk(): MeteredDisk {
  const meter = { syncCalls: 0, journalSyncs: 0, syncMs: 0, writtenBytes: 0 };
  const journals = new Set<number>();
  const timed = (sync: (fd: number) => void) => (fd: number) => {
    const started = performance.now();
    sync(fd);
    meter.syncMs += performance.now() - started;
    meter.syncCalls += 1;
    if (journals.has(fd)) meter.journalSyncs += 1;
  };
  const fs: FileSystem = {
    ...nodeFileSystem,
    open: (path, flags, mode) => {
      const fd = nodeFileSystem.open(path, flags, mode);
      if (/history\.jsonl(\.agent\.tmp)?$/.test(path)) journals.add(fd);
      return fd;
    },
    close: (fd) => {
      journals.delete(fd);
      nodeFileSystem.close(fd);
    },
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
