// Pure: the address and key for requests, checked before anything is sent.
import { modelFault, ProviderError } from '../provider.ts';

export const ANTHROPIC_URL = 'https://api.anthropic.com';

export interface Account {
  /** Base URL without /v1 and without a slash at its end. */
  readonly url: string;
  /** The URL for messages: without name and password. */
  readonly publicUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string;
}

/** Throws a `ProviderError` for an unusable address or key. */
export function accountOf(
  apiKey: string,
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
): Account {
  const { url, publicUrl: shownUrl } = addressOf(baseUrl);
  const key = apiKey.trim();
  const refuse = (message: string): ProviderError =>
    new ProviderError(
      { kind: 'auth_failed' },
      message,
      'Set ANTHROPIC_API_KEY to a key from https://platform.claude.com/settings/keys.',
    );
  if (key === '' && url === ANTHROPIC_URL) throw refuse('There is no API key for Anthropic.');
  // Node would quote the whole header in its error.
  if (/[^\x21-\x7e]/.test(key))
    throw refuse('The API key for Anthropic holds blanks or characters that no key has.');
  const authorization = key === '' ? {} : { authorization: `Bearer ${key}` };
  return { url, publicUrl: shownUrl, key, headers: { ...authorization, ...headers } };
}

function addressOf(baseUrl: string): { readonly url: string; readonly publicUrl: string } {
  const text = baseUrl.trim().replace(/\/+$/, '').replace(/\/v1$/, '');
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw modelFault(
      'The base URL for Anthropic is not an address.',
      `It looks like ${ANTHROPIC_URL}: with http:// or https://, without /v1.`,
    );
  }
  const shown = new URL(parsed);
  shown.username = '';
  shown.password = '';
  return { url: text, publicUrl: shown.href.replace(/\/+$/, '') };
}
