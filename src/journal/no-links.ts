/** Refuses links: a folder from someone else may contain them in place of our files. */

import { TardigradeError } from '../lib/errors.ts';
import { errorCode, storageError } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';

interface StatePlaces {
  /** The state folder itself, which may be a link. */
  readonly root: string;
}

/**
 * Throws E_WORKSPACE if a name below the state folder is a link, because logs and files set aside would be
 * written wherever it leads.
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
