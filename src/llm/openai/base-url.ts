// Pure: the address of an OpenAI-compatible API, as people write it.
import { orNull } from '../../lib/or-null.ts';
import { decoded } from '../../lib/text/addresses.ts';
import { modelFault } from '../provider.ts';

export const OPENAI_URL = 'https://api.openai.com/v1';

export interface BaseUrl {
  /** Without a slash at its end; error messages name it. */
  readonly url: string;
  /** The query: some gateways need an `api-version` in every request. */
  readonly query: Readonly<Record<string, string>>;
  /** From `user:password@`, as a header. */
  readonly authorization: string | null;
}

/**
 * `localhost:1234`, `http://host:8080/` and `…/v1/chat/completions` mean what they look like: an address without a path
 * gets `/v1`. Throws `ProviderError` if it is not an address.
 */
export function parseBaseUrl(text: string = OPENAI_URL): BaseUrl {
  const trimmed = text.trim();
  const url = orNull(() => new URL(withScheme(trimmed)));
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw modelFault(
      'The base URL of the OpenAI-compatible server is not an http address.',
      `Give it like ${OPENAI_URL} or http://127.0.0.1:1234/v1.`,
    );
  }
  const path = url.pathname.replace(/\/(chat\/completions|models)?\/*$/, '').replace(/\/+$/, '');
  const user = decoded(url.username);
  const password = decoded(url.password);
  return {
    url: `${url.protocol}//${url.host}${path === '' ? '/v1' : path}`,
    query: Object.fromEntries(url.searchParams),
    authorization:
      user || password ? `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` : null,
  };
}

const withScheme = (text: string): string =>
  /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
