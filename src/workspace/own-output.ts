/**
 * The files that this process itself prints to. A shell may have put them into the workspace (`… > run.txt`), and
 * then they grow during every command of the run.
 */
import type { FileIdentity, FileSystem } from '../lib/files/file-system.ts';
import { runSync } from '../lib/interruptible.ts';
import { orNull } from '../lib/or-null.ts';
import { placeIn, scanWorkspace } from './scan.ts';
import type { IsCache } from './walk.ts';

/** Absolute paths of those files in the workspace. Without known files nothing is walked. */
export function ownOutputFiles(
  fs: FileSystem,
  workspace: string,
  isCache: IsCache,
  identities: readonly FileIdentity[],
): readonly string[] {
  // A file system without file numbers gives every file the number 0.
  const known = identities.filter(({ inode }) => inode !== 0n);
  if (known.length === 0) return [];
  const { files } = runSync(scanWorkspace(fs, workspace, isCache));
  return [...files].flatMap(([path, stamp]) => {
    if (stamp.inode !== undefined && !known.some(({ inode }) => Number(inode) === stamp.inode))
      return [];
    const absolute = placeIn(fs, workspace, path);
    const found = orNull(() => fs.identifyAt?.(absolute));
    const isOurs = known.some(
      ({ device, inode }) => device === found?.device && inode === found.inode,
    );
    return isOurs ? [absolute] : [];
  });
}
