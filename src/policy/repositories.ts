/** Finds where the root of git's repository may be. */
import { isInside, pathsOf } from '../lib/files/absolute-paths.ts';
import { orNull } from '../lib/or-null.ts';
import type { PathOptions } from './paths.ts';

/** Git looks for its folder from where it works upwards, and passes over what only looks like one. */
export function repositoriesAt(
  folder: string,
  { fs, workspace }: Pick<PathOptions, 'fs' | 'workspace'>,
): readonly string[] {
  const { dirname, join } = pathsOf(fs.platform);
  const found: string[] = [];
  for (let at = join(workspace, folder); ; at = dirname(at)) {
    const isAbove = isInside(at, workspace, fs.platform);
    const isRoot = orNull(() => fs.stat(join(at, '.git'))) !== null;
    if (isRoot || at === workspace) found.push(at);
    if ((isAbove && isRoot) || dirname(at) === at) return found;
  }
}
