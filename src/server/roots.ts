/** Where this server may work: in its roots and below. Elsewhere it only shows. */
import { isInside } from '../lib/files/absolute-paths.ts';
import { orNull } from '../lib/or-null.ts';
import { longFlag, OPTIONS } from '../options/table.ts';
import { ServerRefusal } from './http/problem.ts';
import type { ServerPlace } from './place.ts';

type Roots = Pick<ServerPlace, 'fs' | 'roots'>;

/** True if a folder is at or below a root. It is examined each time, since it may have become a link. */
export function mayWorkIn({ fs, roots }: Roots, path: string): boolean {
  // A folder that no longer exists counts by its name.
  const real = orNull(() => fs.realpath(path)) ?? path;
  return roots.some((root) => isInside(root, real, fs.platform));
}

/** Throws if a folder is not at or below a root. */
export function mustWorkIn(place: Roots, path: string): void {
  if (!mayWorkIn(place, path)) throw outsideRoots('folder');
}

export const outsideRoots = (what: string): ServerRefusal =>
  new ServerRefusal(
    'E_OUTSIDE',
    `That ${what} is not there, or not below a folder that this server may work in.`,
    `Name one below a root; the server is started with another by ${longFlag(OPTIONS.roots)} FOLDER.`,
  );
