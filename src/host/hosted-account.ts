/** How a hosted API is reached: its address and key, as the environment says. Pure. */
import { TardigradeError } from '../lib/errors.ts';
import type { HostEnvironment } from './host-environment.ts';
import type { HostedAccount, HostedRow } from './provider-row.ts';

type Env = HostEnvironment['env'];

/** `baseUrl` is the address that was given. Throws E_USAGE where a key is needed and not set. */
export function hostedAccount(
  row: HostedRow,
  baseUrl: string | null,
  { env, platform }: Pick<HostEnvironment, 'env' | 'platform'>,
): HostedAccount {
  const { keyVariable, urlVariable, defaultUrl } = row;
  const apiKey = (env[keyVariable] ?? '').trim();
  const url = baseUrl ?? fromEnv(env, urlVariable);
  if (apiKey === '' && url === undefined) throw noKey(row, platform);
  return {
    apiKey,
    profile: apiKey === '' ? 'default' : keyVariable,
    baseUrl: url ?? defaultUrl,
  };
}

/** The same with `ANTHROPIC_API_KEY_2`, `_3`, … up to the first that is not set. */
export function furtherKeys(
  { keyVariable }: HostedRow,
  account: HostedAccount,
  env: Env,
): HostedAccount[] {
  const accounts: HostedAccount[] = [];
  for (let number = 2; ; number += 1) {
    const profile = `${keyVariable}_${number}`;
    const apiKey = (env[profile] ?? '').trim();
    if (apiKey === '') return accounts;
    accounts.push({ ...account, apiKey, profile });
  }
}

function fromEnv(env: Env, variable: string | undefined): string | undefined {
  const value = variable === undefined ? '' : (env[variable] ?? '').trim();
  return value === '' ? undefined : value;
}

function noKey(row: HostedRow, platform: NodeJS.Platform): TardigradeError {
  const { label, keyVariable, isSpokenByOthers } = row;
  const own = isSpokenByOthers ? '; or name your own server.' : '';
  return new TardigradeError(
    'E_USAGE',
    `${label} needs a key, and ${keyVariable} is not set.`,
    `Set it: ${setVariable(keyVariable, platform)}${own}`,
    isSpokenByOthers ? { option: 'baseUrl' } : {},
  );
}

export const setVariable = (variable: string, platform: NodeJS.Platform): string =>
  platform === 'win32' ? `$env:${variable} = "KEY" (PowerShell)` : `export ${variable}=KEY`;
