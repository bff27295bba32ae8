/** A folder that came from somebody else may hold links where our files would be. */

import { TardigradeError } from '../lib/errors.ts';
import { errorCode, storageError } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';

interface StatePlaces {
  /** The state directory itself, which may be a link. */
  readonly root: string;
}

/**
 * Throws E_WORKSPACE where one of the names below the state directory is a link: what is appended to a
 * log, or set aside, would be written wherever it leads.
 */
export function refuseLinks(fs: FileSystem, { root, ...names }: StatePlaces): void {
  const link = Object.values<string>(names).find((path) => isLink(fs, path));
  if (link === undefined) return;
  throw new TardigradeError(
    'E_WORKSPACE',
    `${link} is a link, and the state of a run is only kept in ${root} itself.`,
    'See where it leads, and move it away.',
  );
}

function isLink(fs: FileSystem, path: string): boolean {
  try {
    return fs.lstat(path).kind === 'symlink';
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false;
    throw storageError(error, `looking at ${path}`);
  }
}
