/** Pure: the address and key of a hosted API, from the environment. */
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { NO_ACCOUNTS } from '../config/accounts.ts';
import type { HostEnvironment } from '../host-environment.ts';
import type { HostedAccount, HostedRow } from './provider-row.ts';

type AccountSources = Pick<HostEnvironment, 'env' | 'platform' | 'accounts' | 'keysComeFrom'>;
type KeySources = Omit<AccountSources, 'platform'>;

/**
 * `baseUrl` is the address that was given; the environment takes precedence over the user's settings. Throws E_USAGE if
 * a key is needed and not set.
 */
export function hostedAccount(
  row: HostedRow,
  baseUrl: string | null,
  place: AccountSources,
): HostedAccount {
  const { urlVariable, defaultUrl, name } = row;
  const settings = place.accounts?.providers[name];
  const url = baseUrl ?? fromEnv(place.env, urlVariable) ?? (settings?.baseUrl || undefined);
  if (row.hasNoAddress && url === undefined) throw noAddress(name);
  const [key] = keysOf(row, place);
  if (key === undefined && url === undefined) throw noKey(row, place);
  return {
    ...(key ?? { apiKey: '', profile: 'default' }),
    baseUrl: url ?? defaultUrl,
    ...(settings?.headers === undefined ? {} : { headers: settings.headers }),
  };
}

/** Whether its first key comes from a program that has not been run yet. */
export function isKeyFromCommand(
  { keyVariable, name }: HostedRow,
  { env, accounts, keysComeFrom }: KeySources,
): boolean {
  const { apiKeyCommand, apiKey } = accounts?.providers[name] ?? {};
  const isThere = (env[keyVariable] ?? '').trim() !== '' || apiKey !== undefined;
  return keysComeFrom !== 'call' && apiKeyCommand !== undefined && !isThere;
}

/** The first key that is set; `null`: none is. */
export const keyOf = (row: HostedRow, place: KeySources): Key | null =>
  keysOf(row, place)[0] ?? null;

/** The same with every further key. */
export const furtherKeys = (
  row: HostedRow,
  account: HostedAccount,
  place: KeySources,
): HostedAccount[] =>
  keysOf(row, place)
    .slice(1)
    .map((key) => ({ ...account, ...key }));

type Key = Pick<HostedAccount, 'apiKey' | 'profile'>;

/**
 * `ANTHROPIC_API_KEY` and `_2`, `_3`, … up to the first that is not set, or the key of the user's settings; then the
 * further keys from there. A key from a program is '' until the program has run.
 */
function keysOf(row: HostedRow, place: KeySources): readonly Key[] {
  const { keyVariable, name } = row;
  const { env, accounts = NO_ACCOUNTS } = place;
  const keys: Key[] = [];
  const add = (apiKey: string, profile: string): boolean => {
    if (apiKey === '' || keys.some((key) => key.apiKey === apiKey)) return apiKey !== '';
    keys.push({ apiKey, profile });
    return true;
  };
  if (add((env[keyVariable] ?? '').trim(), keyVariable)) {
    for (let number = 2; ; number += 1) {
      const variable = `${keyVariable}_${number}`;
      if (!add((env[variable] ?? '').trim(), variable)) break;
    }
  } else if (isKeyFromCommand(row, place)) keys.push({ apiKey: '', profile: `providers.${name}` });
  else add(accounts.providers[name]?.apiKey ?? '', `providers.${name}`);
  for (const { id, provider, apiKey } of accounts.profiles) if (provider === name) add(apiKey, id);
  return keys;
}

function fromEnv(env: HostEnvironment['env'], variable: string | undefined): string | undefined {
  const value = variable === undefined ? '' : (env[variable] ?? '').trim();
  return value === '' ? undefined : value;
}

export const noAddress = (name: string): TardigradeError =>
  misuse(
    `The provider "${name}" has no address.`,
    `Give its baseUrl in providers.${name}: a name that is not one of ours is an OpenAI-compatible server there.`,
    { option: 'model' },
  );

function noKey(row: HostedRow, { platform, keysComeFrom }: AccountSources): TardigradeError {
  const { label, name, keyVariable, isSpokenByOthers } = row;
  if (keysComeFrom === 'call')
    return misuse(
      `${label} needs a key.`,
      `Give it: providers: { ${name}: { apiKey: '…' } }${isSpokenByOthers ? ', or the address of your own server as baseUrl there.' : '.'}`,
    );
  const own = isSpokenByOthers ? '; or name your own server.' : '';
  return misuse(
    `${label} needs a key, and ${keyVariable} is not set.`,
    `Set it: ${setVariable(keyVariable, platform)}${own}`,
    isSpokenByOthers ? { option: 'baseUrl' } : {},
  );
}

export const setVariable = (variable: string, platform: NodeJS.Platform): string =>
  platform === 'win32'
    ? `set ${variable}=KEY (cmd), or $env:${variable} = "KEY" (PowerShell)`
    : `export ${variable}=KEY`;
