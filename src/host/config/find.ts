/** Where settings files lie. All that a start without one costs is a look for them. */
import type { FileSystem } from '../../lib/files/file-system.ts';
import { pathsOf } from '../../workspace/jail.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { configFolderOf } from '../user/user-folders.ts';

/** Whose word it is: a project's file may say less. */
export type Side = 'user' | 'project';

export interface ConfigFile {
  readonly side: Side;
  /** Absolute. */
  readonly path: string;
}

export const USER_FILE = 'config.json';
/** What was pasted, beside it. */
export const KEY_FILE = 'keys.json';
export const PROJECT_FILE = '.tardigrade.json';

interface ConfigSearch {
  /** Absolute. */
  readonly workspace: string;
  /** In the place of the user's own; as it was typed. */
  readonly named: string | null;
}

/** The user's own place for settings, whether there is a file or not. */
export const userConfigPath = (place: Pick<HostEnvironment, 'env' | 'platform'>): string =>
  pathsOf(place.platform).join(configFolderOf(place), USER_FILE);

/** Those that are there, and the one that was named whether it is there or not. */
export function findConfigs(
  fs: Pick<FileSystem, 'lstat'>,
  place: Pick<HostEnvironment, 'env' | 'platform' | 'cwd'>,
  { workspace, named }: ConfigSearch,
): readonly ConfigFile[] {
  const { join, resolve } = pathsOf(place.platform);
  const user = named === null ? userConfigPath(place) : resolve(place.cwd, named);
  const project = join(workspace, PROJECT_FILE);
  return [
    ...(named !== null || isThere(fs, user) ? [{ side: 'user', path: user } as const] : []),
    ...(isThere(fs, project) ? [{ side: 'project', path: project } as const] : []),
  ];
}

/** Absolute; `null` where no key was pasted. */
export function findKeys(
  fs: Pick<FileSystem, 'lstat'>,
  place: Pick<HostEnvironment, 'env' | 'platform'>,
): string | null {
  const path = pathsOf(place.platform).join(configFolderOf(place), KEY_FILE);
  return isThere(fs, path) ? path : null;
}

/** Where the servers stand that a project would like to have, in the form that other agents read too. */
export const PROJECT_SERVERS = '.mcp.json';

/** Absolute; `null` where there is none. */
export function findProjectServers(
  fs: Pick<FileSystem, 'lstat'>,
  { platform }: Pick<HostEnvironment, 'platform'>,
  workspace: string,
): string | null {
  const path = pathsOf(platform).join(workspace, PROJECT_SERVERS);
  return isThere(fs, path) ? path : null;
}

/** What nobody may even look at is nobody's settings: a container without a home still works. */
function isThere(fs: Pick<FileSystem, 'lstat'>, path: string): boolean {
  try {
    fs.lstat(path);
    return true;
  } catch {
    return false;
  }
}
