/** Finds settings files. The code that reads them is loaded only if there is one. */
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { configFolderOf } from '../user/user-folders.ts';

/** The owner of a file; a project's file may say less than the user's. */
export type SettingsOwner = 'user' | 'project';

export interface ConfigFile {
  readonly side: SettingsOwner;
  /** Absolute. */
  readonly path: string;
}

export const USER_FILE = 'config.json';
/** Pasted keys, beside the settings. */
export const PASTED_KEYS_FILE = 'keys.json';
export const PROJECT_FILE = '.tardigrade.json';

interface ConfigSearch {
  /** Absolute. */
  readonly workspace: string;
  /** Replaces the user's own file; as typed. */
  readonly named: string | null;
}

/** The path of the user's settings, whether or not the file exists. */
export const userConfigPath = (place: Pick<HostEnvironment, 'env' | 'platform'>): string =>
  pathsOf(place.platform).join(configFolderOf(place), USER_FILE);

/** The same; `named`, as typed, replaces it. */
export const usersSettingsFile = (
  place: Pick<HostEnvironment, 'env' | 'platform' | 'cwd'>,
  named: string | null,
): string =>
  named === null ? userConfigPath(place) : pathsOf(place.platform).resolve(place.cwd, named);

/** The files that exist, and the named one whether or not it exists. */
export function findConfigs(
  fs: Pick<FileSystem, 'lstat'>,
  place: Pick<HostEnvironment, 'env' | 'platform' | 'cwd'>,
  { workspace, named }: ConfigSearch,
): readonly ConfigFile[] {
  const user = usersSettingsFile(place, named);
  const project = pathsOf(place.platform).join(workspace, PROJECT_FILE);
  return [
    ...(named !== null || isThere(fs, user) ? [{ side: 'user', path: user } as const] : []),
    ...(isThere(fs, project) ? [{ side: 'project', path: project } as const] : []),
  ];
}

/** Absolute; `null` if no key was pasted. */
export function findKeys(
  fs: Pick<FileSystem, 'lstat'>,
  place: Pick<HostEnvironment, 'env' | 'platform'>,
): string | null {
  const path = pathsOf(place.platform).join(configFolderOf(place), PASTED_KEYS_FILE);
  return isThere(fs, path) ? path : null;
}

/** Where a project lists the servers it asks for, in a form that other agents read, too. */
export const PROJECT_SERVERS = '.mcp.json';

/** Absolute, whether or not the file exists. */
export const projectServersPath = (
  { platform }: Pick<HostEnvironment, 'platform'>,
  workspace: string,
): string => pathsOf(platform).join(workspace, PROJECT_SERVERS);

/** Absolute; `null` if there is none. */
export function findProjectServers(
  fs: Pick<FileSystem, 'lstat'>,
  place: Pick<HostEnvironment, 'platform'>,
  workspace: string,
): string | null {
  const path = projectServersPath(place, workspace);
  return isThere(fs, path) ? path : null;
}

/** A folder that cannot be read holds no settings: a container without a home still works. */
const isThere = (fs: Pick<FileSystem, 'lstat'>, path: string): boolean =>
  orNull(() => fs.lstat(path)) !== null;
