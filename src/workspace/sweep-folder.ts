/** Removes a folder, whatever a command made in it. It follows no link. */
import { pathsOf } from '../lib/files/absolute-paths.ts';
import { errorCode, orMissing } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { setMode } from '../lib/files/with-file.ts';
import { type Interruptible, isInterrupt } from '../lib/interruptible.ts';
import { isRefusal } from './files.ts';

/** Removes a folder with everything in it; does nothing if there is none. */
export function* sweepFolder(fs: FileSystem, folder: string): Interruptible<void> {
  yield;
  const info = orMissing(() => fs.lstat(folder));
  if (info === null) return;
  if (info.kind !== 'directory') return fs.unlink(folder);
  if ((info.mode & OWNERS) !== OWNERS) unlock(fs, folder, info.mode);
  const { join } = pathsOf(fs.platform);
  try {
    for (const name of fs.readdir(folder)) yield* sweepFolder(fs, join(folder, name));
    fs.rmdir(folder);
  } catch (error) {
    // A command may have made names that are not UTF-8, or folders that may not be read.
    if (fs.removeTree === undefined || errorCode(error) === '' || isInterrupt(error)) throw error;
    fs.removeTree(folder);
  }
}

const OWNERS = 0o700;

/** A command may have taken the right to write from a folder of its own. */
function unlock(fs: FileSystem, folder: string, mode: number): void {
  try {
    setMode(fs, folder, (mode & 0o777) | OWNERS);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}
