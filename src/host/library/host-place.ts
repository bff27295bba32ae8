/**
 * What the library provides to the rooms below it. Only this file needs its own URL, which the bundled
 * program does not have.
 */
import { arch } from 'node:os';
import type { Machine } from '../../run/machine.ts';
import type { Accounts, KeyProfile } from '../config/accounts.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { ownFolder } from './own-folder.ts';
import type { ProviderAccounts, Where } from './place.ts';

/** As for a command line with an empty environment. */
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
