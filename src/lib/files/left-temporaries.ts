/** Removes what killed processes left beside a file while they wrote it. Nothing here throws. */
import { orNull } from '../or-null.ts';
import { pathsOf } from './absolute-paths.ts';
import type { FileSystem } from './file-system.ts';
import { isTemporaryOf } from './temporary-name.ts';

/** No process takes this long between beginning a file and giving it its name. */
const LEFT_AFTER_MS = 10 * 60_000;

/**
 * Removes temporary files that are much older than the file, which was just written: both times are by one
 * clock.
 */
export function sweepOldBeside(fs: FileSystem, path: string): void {
  const written = orNull(() => fs.lstat(path));
  if (written === null) return;
  sweep(fs, path, (left) => written.mtimeMs - fs.lstat(left).mtimeMs > LEFT_AFTER_MS);
}

/** Removes all temporary files: a process that is writing one now must expect that. */
export const sweepBeside = (fs: FileSystem, path: string): void => sweep(fs, path, () => true);

function sweep(fs: FileSystem, path: string, isLeft: (left: string) => boolean): void {
  const { dirname, join } = pathsOf(fs.platform);
  const folder = dirname(path);
  for (const name of orNull(() => fs.readdir(folder)) ?? []) {
    if (!isTemporaryOf(path, name)) continue;
    const left = join(folder, name);
    orNull(() => isLeft(left) && fs.unlink(left));
  }
}
