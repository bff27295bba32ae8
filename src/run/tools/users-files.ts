/** Finds the workspace files that belong to the user, so that removing them needs consent. */
import { driverOf } from '../../drivers/driver-of.ts';
import { type HashAt, isTheirs, removalAsks } from '../../evidence/users-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { PolicyOptions } from '../../policy/policy.ts';
import { hashIfReadable } from '../../workspace/files.ts';
import { resolveInWorkspace } from '../../workspace/jail.ts';
import type { OpenedRun } from '../open.ts';

/** Evaluated at the time of the question. */
export function usersFilesOf(
  { context, workspace }: Pick<OpenedRun, 'context' | 'workspace'>,
  fs: FileSystem,
): NonNullable<PolicyOptions['isUsers']> {
  const options = { platform: fs.platform, forWrite: false };
  const hashAt: HashAt = (path) => {
    const found = resolveInWorkspace(fs, workspace, path, options);
    // A name in another case, or below a link, is no second file.
    if (found.kind === 'refused' || found.relative !== path) return null;
    const hash = hashIfReadable(fs, found.absolute);
    return hash === 'unreadable' ? null : hash;
  };
  return (does, path) => {
    const { state } = context;
    if (does === 'edit' && !driverOf(state.settings).asksToChange) return false;
    // Folders are removed only when empty, and a tool refuses what it cannot read.
    const hash = hashAt(path);
    if (hash === null) return false;
    return does === 'edit' ? isTheirs(state, path, hash) : removalAsks(state, path, hash, hashAt);
  };
}
