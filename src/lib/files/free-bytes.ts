import { statfsSync } from 'node:fs';

/** What can still be written in a folder. Throws Node's error where the disk cannot be asked. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
