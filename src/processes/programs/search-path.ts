import { isInside, pathsOf } from '../../lib/files/absolute-paths.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';

/** Where programs are searched for. Pure except for resolving real paths. */

/** The value of an environment variable; on win32 names are case-insensitive. */
export function readVariable(
  env: { readonly [name: string]: string | undefined },
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32' || env[name] !== undefined) return env[name];
  const found = Object.keys(env).find((key) => key.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : env[found];
}

/**
 * The folders of PATH that may be searched, each once: absolute, and outside the workspace, also by their real
 * path. Empty and relative entries would mean the current folder.
 */
export function cleanSearchPath(options: {
  readonly path: string | undefined;
  readonly workspace: string;
  readonly platform: NodeJS.Platform;
  readonly fs: Pick<FileSystem, 'realpath'>;
}): string[] {
  const { workspace, platform, fs } = options;
  const paths = pathsOf(platform);
  const kept: string[] = [];
  for (const entry of (options.path ?? '').split(paths.delimiter)) {
    const folder = platform === 'win32' ? entry.trim().replace(/^"|"$/g, '') : entry;
    if (!isRooted(folder, platform)) continue;
    const normal = paths.resolve(folder);
    if (isInside(workspace, normal, platform)) continue;
    if (isInside(workspace, realOr(normal, fs), platform)) continue;
    if (!kept.includes(normal)) kept.push(normal);
  }
  return kept;
}

/** Absolute and, on win32, with its drive or share: `\tools` would depend on the current drive. */
function isRooted(folder: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32'
    ? /^(?:[A-Za-z]:[\\/]|\\\\[^\\])/.test(folder)
    : folder.startsWith('/');
}

/**
 * The folder in which a program is asked for its version. In the workspace it could run a module from there:
 * `python -m ruff` loads a `ruff.py` in the current folder.
 */
export const folderToAskIn = (file: string, platform: NodeJS.Platform): string =>
  pathsOf(platform).dirname(file);

/** The real path, or the path itself if nothing is there. */
export const realOr = (file: string, fs: Pick<FileSystem, 'realpath'>): string =>
  orNull(() => fs.realpath(file)) ?? file;
