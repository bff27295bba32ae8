/** How a hosted API is reached: its address and key, as the environment says. Pure. */
import { TardigradeError } from '../lib/errors.ts';
import type { HostEnvironment } from './host-environment.ts';

export type HostedName = 'anthropic' | 'openai' | 'openrouter';

/** One way to reach one API. Several keys are several accounts. */
export interface HostedAccount {
  readonly name: HostedName;
  /** '' where the server wants none. */
  readonly apiKey: string;
  /** Where the key came from: it is journalled and shown, the key never. */
  readonly profile: string;
  /** `undefined`: the API's own. */
  readonly baseUrl: string | undefined;
}

export const KEY_VARIABLE: { readonly [N in HostedName]: string } = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  openrouter: 'OPENROUTER_API_KEY',
};

const URL_VARIABLE: { readonly [N in HostedName]: string | null } = {
  anthropic: 'ANTHROPIC_BASE_URL',
  openai: 'OPENAI_BASE_URL',
  openrouter: null,
};

export const PEOPLE_SAY: { readonly [N in HostedName]: string } = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  openrouter: 'OpenRouter',
};

const OPENROUTER_URL = 'https://openrouter.ai/api/v1';

/** `baseUrl` is what `--base-url` says. Throws E_USAGE where a key is needed and not set. */
export function hostedAccount(
  name: HostedName,
  baseUrl: string | null,
  { env, platform }: Pick<HostEnvironment, 'env' | 'platform'>,
): HostedAccount {
  const variable = KEY_VARIABLE[name];
  const apiKey = (env[variable] ?? '').trim();
  const url = baseUrl ?? fromEnv(env, URL_VARIABLE[name]);
  if (apiKey === '' && url === undefined) throw noKey(name, platform);
  return {
    name,
    apiKey,
    profile: apiKey === '' ? 'default' : variable,
    baseUrl: url ?? (name === 'openrouter' ? OPENROUTER_URL : undefined),
  };
}

function fromEnv(env: HostEnvironment['env'], variable: string | null): string | undefined {
  const value = variable === null ? '' : (env[variable] ?? '').trim();
  return value === '' ? undefined : value;
}

function noKey(name: HostedName, platform: NodeJS.Platform): TardigradeError {
  const variable = KEY_VARIABLE[name];
  const own = name === 'openai' ? '; a server of your own: --base-url URL' : '';
  return new TardigradeError(
    'E_USAGE',
    `${PEOPLE_SAY[name]} needs a key, and ${variable} is not set.`,
    `Set it: ${setVariable(variable, platform)}${own}`,
  );
}

export const setVariable = (variable: string, platform: NodeJS.Platform): string =>
  platform === 'win32' ? `$env:${variable} = "KEY" (PowerShell)` : `export ${variable}=KEY`;
