import { homedir } from 'node:os';
import { userDataFolder } from '../llm/embedded/installed.ts';
import type { HostEnvironment } from './host-environment.ts';

/** Where the engine and downloaded models lie. */
export const dataFolderOf = ({ env, platform }: HostEnvironment): string =>
  userDataFolder(env, platform, homedir());
