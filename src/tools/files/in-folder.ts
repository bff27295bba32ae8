/** Paths of a command that works in a folder of the workspace. Pure. */
import path from 'node:path';

/**
 * A relative path as it is named from the workspace on; what is absolute stays.
 * @param folder from the workspace on, with `/`; left out: the workspace itself
 */
export function fromFolder(
  given: string,
  folder: string | undefined,
  platform: NodeJS.Platform,
): string {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const isRooted = paths.isAbsolute(given) || (platform === 'win32' && /^[A-Za-z]:/.test(given));
  return folder === undefined || isRooted ? given : paths.join(folder, given);
}

/** A program that is named by its path is the one that lies there, and never one of the search path. */
export function programFrom(
  program: string,
  folder: string | undefined,
  platform: NodeJS.Platform,
): string {
  if (!/[\\/]/.test(program)) return program;
  const from = fromFolder(program, folder, platform);
  return /[\\/]/.test(from) ? from : `./${from}`;
}
