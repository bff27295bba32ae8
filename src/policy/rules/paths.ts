/** Patterns of paths, as git reads them in a .gitignore. */
import ignore from 'ignore';
import type { PathPattern } from './rule.ts';

export interface PathPlace {
  /** Absolute, with `/`. */
  readonly workspace: string;
  /** Absolute, with `/`; `null`: nobody's home is known. */
  readonly home: string | null;
}

/**
 * @param path from the workspace on, with `/`; `.` is the workspace
 * @param anyCase capital and small letters are one, as on some disks: for what is held back
 */
export function matchesPath(
  { root, glob }: Pick<PathPattern, 'root' | 'glob'>,
  path: string,
  place: PathPlace,
  anyCase: boolean,
): boolean {
  const seen = fromRoot(root, path, place);
  if (seen === null) return false;
  if (seen === '') return /^\/?\*\*?(?:\/\*\*)?$/.test(glob);
  if (!ignore.isPathValid(seen)) return false;
  return ignore({ ignorecase: anyCase }).add(glob).ignores(seen);
}

/** The path from where its pattern begins; `null`: it does not lie there. */
function fromRoot(root: PathPattern['root'], path: string, place: PathPlace): string | null {
  const plain = path === '.' ? '' : path;
  if (root === 'workspace') return plain;
  const absolute = plain === '' ? place.workspace : `${place.workspace}/${plain}`;
  if (root === 'root') return absolute.replace(/^(?:[A-Za-z]:)?\/+/, '');
  if (place.home === null) return null;
  const { home } = place;
  if (absolute === home) return '';
  return absolute.startsWith(`${home}/`) ? absolute.slice(home.length + 1) : null;
}
