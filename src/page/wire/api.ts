/**
 * Requests to the server.
 *
 * 1. The token is kept in this tab's session storage and sent as a header, never in an address.
 * 2. A one-time key is exchanged once, and is removed from the address before anything else happens.
 */
import { readProblem, ServerProblem } from '../../server/client/problem.ts';
import type { Browser } from './browser.ts';

const TOKEN = 'tardigrade.token';

export interface Api {
  readonly hasToken: boolean;
  /** Resolves to false if the key is no longer valid. */
  exchange(key: string): Promise<boolean>;
  forget(): void;
  headers(): { readonly [name: string]: string };
  /** Throws only `ServerProblem`; its status is 0 if the server could not be reached. */
  get<Answer>(path: string): Promise<Answer>;
  post<Answer>(path: string, body: object): Promise<Answer>;
  /**
   * The same, for requests that begin something. An equal request after a failed one has the same name, so
   * nothing begins twice.
   */
  begin<Answer>(path: string, body: object): Promise<Answer>;
}

export function createApi(browser: Browser): Api {
  const headers = (): { [name: string]: string } => {
    const token = browser.storage.getItem(TOKEN);
    return token === null ? {} : { authorization: `Bearer ${token}` };
  };
  const ask = async <Answer>(path: string, init: RequestInit): Promise<Answer> => {
    const answer = await browser.fetch(path, { ...init, credentials: 'omit' }).catch(() => {
      throw new ServerProblem(UNREACHED);
    });
    if (!answer.ok) throw await readProblem(answer);
    return (answer.status === 204 ? {} : await answer.json()) as Answer;
  };
  const post = <Answer>(path: string, body: object, more: object = {}): Promise<Answer> =>
    ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...headers(), 'content-type': 'application/json', ...more },
    });
  const names = new Map<string, string>();
  return {
    get hasToken() {
      return browser.storage.getItem(TOKEN) !== null;
    },
    exchange: async (key) => {
      try {
        const { token } = await post<{ token: string }>('/api/token', { key });
        browser.storage.setItem(TOKEN, token);
        return true;
      } catch {
        return false;
      }
    },
    forget: () => browser.storage.removeItem(TOKEN),
    headers,
    get: (path) => ask(path, { headers: headers() }),
    post: (path, body) => post(path, body),
    begin: async <Answer>(path: string, body: object) => {
      const request = `${path}\n${JSON.stringify(body)}`;
      const name = names.get(request) ?? browser.uniqueId();
      names.set(request, name);
      const answer = await post<Answer>(path, body, { 'idempotency-key': name });
      names.delete(request);
      return answer;
    },
  };
}

const UNREACHED = {
  type: 'about:blank',
  title: '',
  status: 0,
  code: 'E_NETWORK',
  detail: 'The server cannot be reached.',
  hint: 'See whether the server still works, and start it again if not. Runs work on without it.',
};
