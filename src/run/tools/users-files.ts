/** Which files of the workspace are somebody's, so that what takes them away asks first. */
import { driverOf } from '../../drivers/driver-of.ts';
import { type HashAt, isTheirs, removalAsks } from '../../evidence/users-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { PolicyOptions } from '../../policy/policy.ts';
import { hashIfReadable } from '../../workspace/files.ts';
import { pathsOf } from '../../workspace/jail.ts';
import type { OpenedRun } from '../open.ts';

type Opened = Pick<OpenedRun, 'context' | 'workspace'>;

/** As things are when it is asked. */
export function usersFilesOf(
  { context, workspace }: Opened,
  fs: FileSystem,
): NonNullable<PolicyOptions['isUsers']> {
  const placeOf = (path: string): string => pathsOf(fs.platform).join(workspace, path);
  const hashAt: HashAt = (path) => {
    const hash = hashIfReadable(fs, placeOf(path));
    return hash === 'unreadable' ? null : hash;
  };
  return (does, path) => {
    const { state } = context;
    if (does === 'edit' && !driverOf(state.settings).asksToChange) return false;
    // A folder is removed only where it is empty, and what cannot be read its tool refuses.
    const hash = hashAt(path);
    if (hash === null) return false;
    return does === 'edit' ? isTheirs(state, path, hash) : removalAsks(state, path, hash, hashAt);
  };
}
