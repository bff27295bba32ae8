import { isInside, pathsOf } from '../lib/files/absolute-paths.ts';
import { fromFolder } from '../tools/files/in-folder.ts';
import type { PathOptions } from './paths.ts';

/**
 * True if a path in a command's arguments leads out of the workspace, by its text or through a link. Unlike the
 * jail it accepts absolute paths inside, because programs print them, and links of a copy to its lender.
 */
export function leadsOutside(
  target: string,
  context: Pick<PathOptions, 'fs' | 'workspace' | 'folder'> & {
    readonly lender?: string | undefined;
  },
): boolean {
  const { fs, workspace, folder, lender = workspace } = context;
  const { platform } = fs;
  const paths = pathsOf(platform);
  // `C:x` depends on that drive's current folder.
  if (platform === 'win32' && /^[A-Za-z]:(?![\\/])/.test(target)) return true;
  const plain = target.replace(/^file:\/\/(?=\/)/, '');
  const absolute = paths.resolve(workspace, fromFolder(plain, folder, platform));
  if (!isInside(workspace, absolute, platform)) return true;
  for (let part = absolute; isInside(workspace, part, platform); part = paths.dirname(part)) {
    try {
      const real = fs.realpath(part);
      return !isInside(workspace, real, platform) && !isInside(lender, real, platform);
    } catch {
      // The path does not exist, so the folder that it would be in decides.
    }
  }
  return false;
}
