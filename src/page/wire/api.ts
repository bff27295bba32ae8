/**
 * Asking the server.
 *
 * 1. The token lies in the session's storage of this tab, goes out as a header and never into an address.
 * 2. A one-time key of the address is exchanged once, and leaves the address before anything else happens.
 */
import type { Problem } from '../../server/api/schemas.ts';
import type { Doors } from './doors.ts';

const TOKEN = 'tardigrade.token';

/** What the server says against a request; `status` 0: it could not be reached. */
export class Refused extends Error {
  readonly problem: Pick<Problem, 'status' | 'detail' | 'code' | 'hint'>;

  constructor(problem: Refused['problem']) {
    super(problem.detail);
    this.problem = problem;
  }
}

export interface Api {
  readonly hasToken: boolean;
  /** Resolves to false where the key is not good any more. */
  exchange(key: string): Promise<boolean>;
  forget(): void;
  headers(): { readonly [name: string]: string };
  /** Throws `Refused` alone. */
  get<Answer>(path: string): Promise<Answer>;
  post<Answer>(path: string, body: object, headers?: object): Promise<Answer>;
}

export function createApi(doors: Doors): Api {
  const headers = (): { [name: string]: string } => {
    const token = doors.kept.getItem(TOKEN);
    return token === null ? {} : { authorization: `Bearer ${token}` };
  };
  const ask = async <Answer>(path: string, init: RequestInit): Promise<Answer> => {
    const answer = await doors.fetch(path, { ...init, credentials: 'omit' }).catch(() => {
      throw new Refused(UNREACHED);
    });
    if (!answer.ok) throw new Refused(await problemIn(answer));
    return (answer.status === 204 ? {} : await answer.json()) as Answer;
  };
  const post = <Answer>(path: string, body: object, more: object = {}): Promise<Answer> =>
    ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...headers(), 'content-type': 'application/json', ...more },
    });
  return {
    get hasToken() {
      return doors.kept.getItem(TOKEN) !== null;
    },
    exchange: async (key) => {
      try {
        const { token } = await post<{ token: string }>('/api/token', { key });
        doors.kept.setItem(TOKEN, token);
        return true;
      } catch {
        return false;
      }
    },
    forget: () => doors.kept.removeItem(TOKEN),
    headers,
    get: (path) => ask(path, { headers: headers() }),
    post,
  };
}

const UNREACHED = {
  status: 0,
  code: 'E_NETWORK',
  detail: 'The server cannot be reached.',
  hint: 'See whether the server still works, and start it again if not. Runs work on without it.',
};

async function problemIn(answer: Response): Promise<Refused['problem']> {
  try {
    return (await answer.json()) as Problem;
  } catch {
    return {
      status: answer.status,
      code: '',
      detail: `The server answered ${answer.status}.`,
      hint: '',
    };
  }
}
