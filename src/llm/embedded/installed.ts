/** Where the engine is installed once `agent setup embedded` has run. Pure, but it looks at files. */
import { createHash } from 'node:crypto';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { readFileIfPresent } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';

export const ENGINE_PACKAGE = 'node-llama-cpp';
/** The marker's name. The file exists only while a checked installation does, and tells which one. */
export const MARKER = 'installed.json';

/**
 * The user's data folder for this program: `%LOCALAPPDATA%`, `$XDG_DATA_HOME` or `~/.local/share`,
 * `~/Library/Application Support`, with `tardigrade-agent` below. Empty or relative variables are ignored, as the XDG
 * specification requires.
 */
export function userDataFolder(
  env: { readonly [name: string]: string | undefined },
  platform: NodeJS.Platform,
  home: string,
): string {
  const path = pathsOf(platform);
  const fromEnv = (name: string): string | undefined => {
    const value = env[name];
    return value !== undefined && path.isAbsolute(value) ? value : undefined;
  };
  if (platform === 'win32') {
    const base = fromEnv('LOCALAPPDATA') ?? path.join(home, 'AppData', 'Local');
    return path.join(base, 'tardigrade-agent');
  }
  if (platform === 'darwin')
    return path.join(home, 'Library', 'Application Support', 'tardigrade-agent');
  const base = fromEnv('XDG_DATA_HOME') ?? path.join(home, '.local', 'share');
  return path.join(base, 'tardigrade-agent');
}

/** The folder with the engine's own package.json and node_modules. */
export const engineFolder = (dataFolder: string, platform: NodeJS.Platform): string =>
  pathsOf(platform).join(dataFolder, 'embedded');

export const entryFile = (folder: string, platform: NodeJS.Platform): string =>
  pathsOf(platform).join(folder, 'node_modules', ENGINE_PACKAGE, 'dist', 'index.js');

/** Entry file of the installed engine; `null` if it is not completely installed. */
export function engineEntry(fs: FileSystem, dataFolder: string): string | null {
  const { join } = pathsOf(fs.platform);
  const folder = engineFolder(dataFolder, fs.platform);
  const entry = entryFile(folder, fs.platform);
  const isFile = (file: string): boolean => orNull(() => fs.stat(file).kind) === 'file';
  return isFile(join(folder, MARKER)) && isFile(entry) ? entry : null;
}

/**
 * Where the engine keeps what prompts have in common. Another model file, or another version of the engine, has another
 * folder, since it cannot read such states.
 * @param digest of the model file
 */
export function statesFolder(fs: FileSystem, dataFolder: string, digest: string): string {
  const { join } = pathsOf(fs.platform);
  const folder = engineFolder(dataFolder, fs.platform);
  const installed = readFileIfPresent(fs, join(folder, MARKER)) ?? '';
  const key = createHash('sha256').update(digest).update(installed).digest('hex').slice(0, 16);
  return join(folder, 'states', key);
}

/** Whether `agent setup embedded` has finished for this data folder. */
export function isEmbeddedInstalled(fs: FileSystem, dataFolder: string): boolean {
  return engineEntry(fs, dataFolder) !== null;
}
