/** A file system in memory whose blobs are limited in size. */
import { TardigradeError } from '../errors.ts';
import type { FileSystem } from './file-system.ts';
import { delegating } from './hiding-file-system.ts';

const MB = 1024 * 1024;
export const MAX_MB = 256;

/** Blobs are written once and never changed, so the bytes written are the bytes stored. */
export function keepingAtMost(
  mostMB: number,
  fs: FileSystem,
  isBlob: (path: string) => boolean,
): FileSystem {
  const keeping = new Set<number>();
  let bytes = 0;
  return {
    ...delegating(fs),
    open: (path, flags, mode) => {
      const fd = fs.open(path, flags, mode);
      if (isBlob(path)) keeping.add(fd);
      return fd;
    },
    close: (fd) => {
      keeping.delete(fd);
      fs.close(fd);
    },
    write: (fd, buffer, position) => {
      if (keeping.has(fd)) {
        if (bytes + buffer.length > mostMB * MB) throw full(mostMB);
        bytes += buffer.length;
      }
      return fs.write(fd, buffer, position);
    },
  };
}

const full = (mostMB: number): TardigradeError =>
  new TardigradeError(
    'E_DISK_FULL',
    `A journal in memory keeps at most ${mostMB} MB of files; the file to be written is as it was.`,
    'Leave journal out: then it is kept on the disk.',
  );
