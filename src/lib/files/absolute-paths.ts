/**
 * Path functions for absolute paths. How such a path is written follows from its beginning, so that a disk in memory
 * can have the paths of another system than the one it is on. Pure.
 */
import path from 'node:path';

const OF_WINDOWS = /^(?:[A-Za-z]:)?[\\/]{1,2}/;

function systemOf(absolute: string): path.PlatformPath {
  if (absolute.startsWith('/')) return path.posix;
  return OF_WINDOWS.test(absolute) ? path.win32 : path;
}

export const join = (absolute: string, ...names: readonly string[]): string =>
  systemOf(absolute).join(absolute, ...names);

export const dirname = (absolute: string): string => systemOf(absolute).dirname(absolute);

export const basename = (absolute: string, ending?: string): string =>
  systemOf(absolute).basename(absolute, ending);

/** The path rules of a platform, on any host. */
export const pathsOf = (platform: NodeJS.Platform): path.PlatformPath =>
  platform === 'win32' ? path.win32 : path.posix;

/** True if `candidate` is `folder` or lies below it; both absolute. */
export function isInside(folder: string, candidate: string, platform: NodeJS.Platform): boolean {
  const paths = pathsOf(platform);
  const way = paths.relative(folder, candidate);
  return way !== '..' && !way.startsWith(`..${paths.sep}`) && !paths.isAbsolute(way);
}
