import { homedir } from 'node:os';
import { userDataFolder } from '../../llm/embedded/installed.ts';
import { pathsOf } from '../../workspace/jail.ts';
import type { HostEnvironment } from '../host-environment.ts';

type UserEnvironment = Pick<HostEnvironment, 'env' | 'platform'>;

/** Where the engine, downloaded models, what was learnt of models and the key of this user lie. */
export const dataFolderOf = ({ env, platform }: UserEnvironment): string =>
  userDataFolder(env, platform, homeOf({ env, platform }));

const PROGRAM = 'tardigrade-agent';

/** Where this user's settings lie, by the conventions of each system (as the package env-paths has them). */
export function configFolderOf({ env, platform }: UserEnvironment): string {
  const { isAbsolute, join } = pathsOf(platform);
  const home = homeOf({ env, platform });
  if (platform === 'darwin') return join(home, 'Library', 'Preferences', PROGRAM);
  const given = env[platform === 'win32' ? 'APPDATA' : 'XDG_CONFIG_HOME'];
  const isGiven = given !== undefined && isAbsolute(given);
  if (platform === 'win32')
    return join(isGiven ? given : join(home, 'AppData', 'Roaming'), PROGRAM, 'Config');
  return join(isGiven ? given : join(home, '.config'), PROGRAM);
}

/** What moves the data folder, where there is such a variable. */
export const dataVariableOf = (platform: NodeJS.Platform): string | null =>
  platform === 'win32' ? 'LOCALAPPDATA' : platform === 'darwin' ? null : 'XDG_DATA_HOME';

/** Absolute. A user without a home has the root, as containers do it; what cannot be written there says so. */
export function homeOf({ env, platform }: UserEnvironment): string {
  const { isAbsolute, parse } = pathsOf(platform);
  const given = env[platform === 'win32' ? 'USERPROFILE' : 'HOME'];
  const home = given !== undefined && isAbsolute(given) ? given : homeOfSystem();
  return isAbsolute(home) ? home : parse('/').root;
}

export function homeOfSystem(): string {
  try {
    return homedir();
  } catch {
    // No entry for this user.
    return '';
  }
}
