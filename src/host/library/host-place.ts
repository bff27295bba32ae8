/** What the library is to the rooms below it. It alone asks for the address of its own file: the program has none. */
import { arch } from 'node:os';
import type { Machine } from '../../run/machine.ts';
import type { Accounts, KeyProfile } from '../config/accounts.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { ownFolder } from './own-folder.ts';
import type { ProviderAccounts, Where } from './place.ts';

/** As a command line has it, with nothing in its environment. */
export const hostPlace = (
  { workspace }: Pick<Where, 'workspace'>,
  { fs, clock, nodePath }: Machine,
  providers: ProviderAccounts = {},
  profiles: readonly KeyProfile[] = [],
): HostEnvironment => ({
  ...{ env: {}, platform: fs.platform, arch: arch(), cwd: workspace, nodePath, clock },
  programFolder: ownFolder(import.meta.url),
  keysComeFrom: 'call',
  accounts: { providers, profiles } satisfies Accounts,
});
