// Pure: removes keys and passwords from a recording, and from what is compared with it, so that a recording without its
// secrets still plays.

import { credentialsIn } from '../../lib/text/addresses.ts';

/** Replaces a secret: a text that no program and no settings file contains by itself. */
export const SCRUBBED = '[secret removed]';

/** Matches a key as a whole, so that a text of many such beginnings is read once. */
const WITH_PREFIX = /\bsk-[A-Za-z0-9_-]+/g;
const LONG_FROM_DIGIT = /\d[A-Za-z0-9_-]{18}/;
const PATTERNS: readonly RegExp[] = [
  /\b(?:hf|gsk|xai|gh[pousr]|glpat|github_pat)[_-][A-Za-z0-9_]{20,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bAIza[0-9A-Za-z_-]{35}/g,
  /\bBearer +[A-Za-z0-9._~+/-]{20,}=*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL/i;
const SHORTEST_SECRET = 12;

/** Values of an environment that must not appear in a shared file. */
export const environmentSecrets = (env: {
  readonly [name: string]: string | undefined;
}): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) && isSecretive(value) ? [value] : [],
  );

const ADDRESS_NAME = /_(?:URL|HOST|PROXY|ENDPOINT)$/i;
const KEY_NAME = /_API_KEY|^HF_TOKEN$/;
/** A shorter key is a word, such as `none`, that a server accepts instead of a key. */
const SHORTEST_KEY = 8;

/** The same, and every key of a model's API, whatever it looks like. */
export const keysIn = (env: { readonly [name: string]: string | undefined }): readonly string[] => {
  const keys = Object.entries(env).flatMap(([name, value = '']) =>
    KEY_NAME.test(name) && value.trim().length >= SHORTEST_KEY ? [value.trim()] : [],
  );
  const inAddresses = Object.entries(env).flatMap(([name, value = '']) =>
    ADDRESS_NAME.test(name) ? credentialsIn(value) : [],
  );
  const credentials = inAddresses.filter(({ length }) => length >= SHORTEST_KEY);
  return [...new Set([...keys, ...credentials, ...environmentSecrets(env)])];
};

/** The environment for a program that needs no secret: without variables that are named like one. */
export function withoutSecrets(
  env: { readonly [name: string]: string | undefined },
  isKept: (name: string) => boolean = () => false,
): { readonly [name: string]: string } {
  const harmless: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(env)) {
    const isHarmless = !SECRET_NAME.test(name) || isKept(name);
    if (value !== undefined && isHarmless) harmless[name] = value;
  }
  return harmless;
}

/** True for a value that is not a word, a path or a number: removing those would remove half of the text. */
const isSecretive = (value: string): boolean =>
  value.length >= SHORTEST_SECRET &&
  /\d/.test(value) &&
  /[A-Za-z]/.test(value) &&
  !/[\s\\]|^[./~]/.test(value);

export type Scrub = <Value>(value: Value) => Value;

/** Every string in a JSON value, at any depth, without the secrets. */
export function scrubber(secrets: readonly string[]): Scrub {
  // Longest first: one secret may be the beginning of another.
  const known = secrets
    .filter((secret) => secret !== '')
    .toSorted((one, other) => other.length - one.length);
  const text = (before: string): string => {
    let after = before;
    for (const secret of known) after = after.replaceAll(secret, SCRUBBED);
    after = after.replace(WITH_PREFIX, (word) => (LONG_FROM_DIGIT.test(word) ? SCRUBBED : word));
    for (const pattern of PATTERNS) after = after.replace(pattern, SCRUBBED);
    return after;
  };
  const any = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(any);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, any(inner)]));
  };
  return (value) => any(value) as typeof value;
}
