/** Paths of a command that runs in a subfolder of the workspace. Pure. */
import { pathsOf } from '../../lib/files/absolute-paths.ts';

/**
 * A relative path converted to one from the workspace; absolute paths stay.
 * @param folder relative to the workspace, with `/`; left out: the workspace itself
 */
export function fromFolder(
  target: string,
  folder: string | undefined,
  platform: NodeJS.Platform,
): string {
  const paths = pathsOf(platform);
  const isRooted = paths.isAbsolute(target) || (platform === 'win32' && /^[A-Za-z]:/.test(target));
  return folder === undefined || isRooted ? target : paths.join(folder, target);
}

/** A program given by path is the one at that path, never one of the search path. */
export function programFrom(
  program: string,
  folder: string | undefined,
  platform: NodeJS.Platform,
): string {
  if (!/[\\/]/.test(program)) return program;
  const from = fromFolder(program, folder, platform);
  return /[\\/]/.test(from) ? from : `./${from}`;
}
