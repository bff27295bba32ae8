/** Where this server may work: in its roots and below. Elsewhere it only shows. */
import { isInside } from '../lib/files/absolute-paths.ts';
import { longFlag, OPTIONS } from '../options/table.ts';
import { Refusal } from './http/problem.ts';
import type { ServerPlace } from './place.ts';

type Roots = Pick<ServerPlace, 'fs' | 'roots'>;

/** Whether a real path is at or below a root. */
export const mayWorkIn = ({ fs, roots }: Roots, real: string): boolean =>
  roots.some((root) => isInside(root, real, fs.platform));

/** Throws if a real path is not at or below a root. */
export function mustWorkIn(place: Roots, real: string): void {
  if (!mayWorkIn(place, real)) throw outside('folder');
}

export const outside = (what: string): Refusal =>
  new Refusal(
    'E_OUTSIDE',
    `That ${what} is not there, or not below a folder that this server may work in.`,
    `Name one below a root; the server is started with another by ${longFlag(OPTIONS.roots)} FOLDER.`,
  );
