import { homedir } from 'node:os';
import { userDataFolder } from '../../llm/embedded/installed.ts';
import type { Terminal } from '../terminal.ts';

/** Where the engine and downloaded models lie. */
export const dataFolderOf = ({ env, platform }: Terminal): string =>
  userDataFolder(env, platform, homedir());
