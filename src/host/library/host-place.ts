/**
 * What the library provides to the rooms below it. Only this file needs its own URL, which the bundled
 * program does not have.
 */
import { arch } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import type { Machine } from '../../run/machine.ts';
import type { Accounts, KeyProfile } from '../config/accounts.ts';
import type { HostEnvironment } from '../host-environment.ts';
import type { ProviderAccounts, Where } from './place.ts';

/** As for a command line with an empty environment. */
export const hostPlace = (
  { workspace }: Pick<Where, 'workspace'>,
  { fs, clock, nodePath }: Machine,
  providers: ProviderAccounts = {},
  profiles: readonly KeyProfile[] = [],
): HostEnvironment => ({
  env: {},
  platform: fs.platform,
  arch: arch(),
  cwd: workspace,
  nodePath,
  clock,
  programFolder: ownFolder(import.meta.url),
  keysComeFrom: 'call',
  accounts: { providers, profiles } satisfies Accounts,
});

/**
 * The folder of this package that contains its built programs; '' if nothing is built. The library is built into files
 * that lie beside the programs or one folder deeper.
 * @param from the URL of a module of the library
 */
export function ownFolder(from: string, isFile = isFileHere): string {
  const folders = ['./', '../'].map((up) => fileURLToPath(new URL(up, from)));
  return folders.find((folder) => isFile(join(folder, 'embedded-child.js'))) ?? '';
}

const isFileHere = (path: string): boolean =>
  orNull(() => nodeFileSystem.stat(path))?.kind === 'file';
