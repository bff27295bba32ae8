import { homedir } from 'node:os';
import { userDataFolder } from '../../llm/embedded/installed.ts';
import type { Terminal } from '../terminal.ts';

/** Where the engine and downloaded models lie. */
export const dataFolderOf = ({ env, platform }: Terminal): string =>
  userDataFolder(env, platform, homedir());

export function definedIn(env: Terminal['env']): { readonly [name: string]: string } {
  const defined: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined) defined[name] = value;
  }
  return defined;
}
