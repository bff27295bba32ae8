import { statfsSync } from 'node:fs';

/** How many bytes can still be written in a folder. Throws Node's error if the disk cannot be queried. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
