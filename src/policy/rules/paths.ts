/** Path patterns with the rules of a .gitignore. */
import ignore from 'ignore';
import type { PathPattern } from './rule.ts';

export interface PathPlace {
  /** Absolute, with `/`. */
  readonly workspace: string;
  /** Absolute, with `/`; `null`: the home folder is unknown. */
  readonly home: string | null;
}

/**
 * @param path relative to the workspace, with `/`; `.` is the workspace
 * @param anyCase ignores case, as some disks do; used for restrictions
 */
export function matchesPath(
  { root, glob }: Pick<PathPattern, 'root' | 'glob'>,
  path: string,
  place: PathPlace,
  anyCase: boolean,
): boolean {
  const seen = fromRoot(root, path, place, anyCase);
  if (seen === null) return false;
  if (seen === '') return /^\/?\*\*?(?:\/\*\*)?$/.test(glob);
  if (!ignore.isPathValid(seen)) return false;
  return ignore({ ignorecase: anyCase }).add(glob).ignores(seen);
}

/** The path relative to the root of its pattern; `null`: it does not lie there. */
function fromRoot(
  root: PathPattern['root'],
  path: string,
  place: PathPlace,
  anyCase: boolean,
): string | null {
  const plain = path === '.' ? '' : path;
  if (root === 'workspace') return plain;
  const absolute = plain === '' ? place.workspace : `${place.workspace}/${plain}`;
  if (root === 'root') return absolute.replace(/^(?:[A-Za-z]:)?\/+/, '');
  if (place.home === null) return null;
  const { home } = place;
  const inCase = (text: string): string => (anyCase ? text.toLowerCase() : text);
  if (inCase(absolute) === inCase(home)) return '';
  return inCase(absolute).startsWith(inCase(`${home}/`)) ? absolute.slice(home.length + 1) : null;
}
