/** Pure: how providers are reached, according to the user's own file. */
import { credentialsIn } from '../../lib/text/addresses.ts';

export interface ProviderSettings {
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly headers?: { readonly [name: string]: string } | undefined;
}

/** The same in the user's own file, which may also name a program. */
export interface OwnProviderSettings extends ProviderSettings {
  /** A program with its arguments that prints the key; it is started when a request needs the key. */
  readonly apiKeyCommand?: readonly string[] | undefined;
}

export interface KeyProfile {
  readonly id: string;
  readonly provider: string;
  readonly apiKey: string;
}

export interface Accounts {
  readonly providers: { readonly [name: string]: OwnProviderSettings | undefined };
  /** In the order of use. */
  readonly profiles: readonly KeyProfile[];
  /** Other secret values. */
  readonly others?: readonly string[];
}

export const NO_ACCOUNTS: Accounts = { providers: {}, profiles: [] };

/** A shorter value is a word and not a secret. */
const SHORTEST = 8;

/** All secrets: keys, header values, and credentials in addresses. */
export const accountSecrets = ({
  providers,
  profiles,
  others = [],
}: Accounts): readonly string[] => {
  const declared = Object.values(providers).flatMap((settings) => [
    settings?.apiKey ?? '',
    ...Object.values(settings?.headers ?? {}).flatMap((value) => [value, ...value.split(/\s+/)]),
    ...credentialsIn(settings?.baseUrl ?? ''),
  ]);
  const keys = [...declared, ...others, ...profiles.map(({ apiKey }) => apiKey)];
  return [...new Set(keys)].filter((key) => key.trim().length >= SHORTEST);
};
