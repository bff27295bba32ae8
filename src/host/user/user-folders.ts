import { homedir } from 'node:os';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { orNull } from '../../lib/or-null.ts';
import { userDataFolder } from '../../llm/embedded/installed.ts';
import type { HostEnvironment } from '../host-environment.ts';

type UserEnvironment = Pick<HostEnvironment, 'env' | 'platform'>;

/** The folder of the engine, downloaded models, lessons about models and this user's key. */
export const dataFolderOf = ({ env, platform }: UserEnvironment): string =>
  userDataFolder(env, platform, homeFolderOf({ env, platform }));

const PROGRAM = 'tardigrade-agent';

/** The folder of this user's settings, by the conventions of each system (as in the package env-paths). */
export function configFolderOf({ env, platform }: UserEnvironment): string {
  const { isAbsolute, join } = pathsOf(platform);
  const home = homeFolderOf({ env, platform });
  if (platform === 'darwin') return join(home, 'Library', 'Preferences', PROGRAM);
  const configured = env[platform === 'win32' ? 'APPDATA' : 'XDG_CONFIG_HOME'];
  const isGiven = configured !== undefined && isAbsolute(configured);
  if (platform === 'win32')
    return join(isGiven ? configured : join(home, 'AppData', 'Roaming'), PROGRAM, 'Config');
  return join(isGiven ? configured : join(home, '.config'), PROGRAM);
}

/** The variable that moves the data folder, if the system has one. */
export const dataVariableOf = (platform: NodeJS.Platform): string | null =>
  platform === 'win32' ? 'LOCALAPPDATA' : platform === 'darwin' ? null : 'XDG_DATA_HOME';

/** Absolute. A user without a home gets the root, as in containers; writing there reports its own error. */
export function homeFolderOf({ env, platform }: UserEnvironment): string {
  const { isAbsolute, parse } = pathsOf(platform);
  const configured = env[platform === 'win32' ? 'USERPROFILE' : 'HOME'];
  const home = configured !== undefined && isAbsolute(configured) ? configured : homeOfSystem();
  return isAbsolute(home) ? home : parse('/').root;
}

/** '' if the system has no entry for this user. */
export const homeOfSystem = (): string => orNull(homedir) ?? '';
