/** How providers are reached, as the user's own file says. Pure. */
import { credentialsIn } from '../../lib/text/addresses.ts';

/** What a file says of one provider. */
export interface ProviderSettings {
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly headers?: { readonly [name: string]: string } | undefined;
}

/** The same in the user's own file, which may name a program. */
export interface OwnProviderSettings extends ProviderSettings {
  /** It prints the key; with its arguments, and started where a request needs the key. */
  readonly apiKeyCommand?: readonly string[] | undefined;
}

/** A further key. */
export interface KeyProfile {
  readonly id: string;
  readonly provider: string;
  readonly apiKey: string;
}

export interface Accounts {
  readonly providers: { readonly [name: string]: OwnProviderSettings | undefined };
  /** In the order in which they are used. */
  readonly profiles: readonly KeyProfile[];
  /** Other values that nobody is to read. */
  readonly others?: readonly string[];
}

export const NO_ACCOUNTS: Accounts = { providers: {}, profiles: [] };

/** A shorter one is a word. */
const SHORTEST = 8;

/** What nobody is to read: keys, what headers say, and what opens an address. */
export const secretsIn = ({ providers, profiles, others = [] }: Accounts): readonly string[] => {
  const told = Object.values(providers).flatMap((settings) => [
    settings?.apiKey ?? '',
    ...Object.values(settings?.headers ?? {}).flatMap((value) => [value, ...value.split(/\s+/)]),
    ...credentialsIn(settings?.baseUrl ?? ''),
  ]);
  const keys = [...told, ...others, ...profiles.map(({ apiKey }) => apiKey)];
  return [...new Set(keys)].filter((key) => key.trim().length >= SHORTEST);
};
