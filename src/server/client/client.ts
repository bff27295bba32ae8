/**
 * A client of `agent serve`, for Node and browsers; it needs only `fetch`.
 *
 * A refusal of the server is thrown as `ServerProblem`.
 */
import type {
  AdoptAnswer,
  ApplyAnswer,
  Approval,
  Diff,
  HistoryPage,
  OutputPiece,
  RepairAnswer,
  ResumeBody,
  RunBegun,
  RunBody,
  RunDetail,
  RunFacts,
  RunPlan,
  RunSummary,
  UndoAnswer,
} from '../api/run-schemas.ts';
import type { Forgotten, Me, Models, Permissions, Right, Workspace } from '../api/schemas.ts';
import type {
  SessionBegun,
  SessionBody,
  SessionDetail,
  SessionResume,
  SessionResumed,
  SessionSummary,
} from '../api/session-schemas.ts';
import { type ClientEvent, followEvents } from './events-of.ts';
import { readProblem, ServerProblem } from './problem.ts';

export type * from '../api/run-schemas.ts';
export type * from '../api/schemas.ts';
export type * from '../api/session-schemas.ts';

export { type ClientEvent, ServerProblem };

export interface ConnectOptions {
  /** The address of the server, or a link whose key is used up by connecting. */
  readonly url: string;
  readonly token?: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface StreamOptions {
  /** Continues after the event with this id. */
  readonly after?: string;
  readonly signal?: AbortSignal;
  /** Events of type `record` as well. */
  readonly records?: boolean;
  /** False: no pieces of text. */
  readonly pieces?: boolean;
  /** True to watch a conversation beside the client that holds it. */
  readonly observe?: boolean;
  readonly names?: 'tardigrade' | 'seed';
}

/** Which runs are listed; left out: the first 50 of every folder. */
export type RunsAsked = {
  /** The id or the path of a folder. */
  readonly workspace?: string;
  readonly limit?: number;
  readonly after?: string;
};

type Method = 'GET' | 'POST' | 'DELETE';

/** Throws `ServerProblem`, and what `fetch` throws. */
export async function connect(options: ConnectOptions): Promise<Client> {
  const link = new URL(options.url);
  const key = /^#k=(.+)$/.exec(link.hash)?.[1];
  const client = new Client({ ...options, url: link.origin, token: options.token ?? '' });
  if (options.token !== undefined || key === undefined) return client;
  const { token } = await client.ask<{ token: string }>('POST', '/api/token', { key });
  return new Client({ ...options, url: link.origin, token });
}

export class Client {
  readonly url: string;
  /** Keep it to connect again without a link. */
  readonly token: string;
  readonly #fetch: typeof fetch;

  constructor({ url, token, fetch: own }: ConnectOptions & { readonly token: string }) {
    this.url = url;
    this.token = token;
    // Browsers require the global object as `this`.
    this.#fetch = own ?? ((...request) => fetch(...request));
  }

  /** @param once names the request, so that it is carried out once however often it is sent */
  async ask<Answer>(method: Method, path: string, body?: object, once?: string): Promise<Answer> {
    const response = await this.#send(method, path, {
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(once === undefined ? {} : { 'Idempotency-Key': once }),
      },
    });
    return (response.status === 204 ? null : await response.json()) as Answer;
  }

  me = () => this.ask<Me>('GET', '/api/me');
  models = () => this.ask<Models>('GET', '/api/models');
  /** @param right the highest right that the link gives; left out: `answer` */
  link = (right?: Right) => this.ask<{ url: string }>('POST', '/api/links', { right });
  workspaces = () => this.ask<{ workspaces: Workspace[] }>('GET', '/api/workspaces');
  /** What was allowed "always here". */
  permissions = () => this.ask<Permissions>('GET', '/api/permissions');
  forgetRule = (workspace: string, rule: string) =>
    this.ask<Forgotten>('POST', '/api/permissions/forget', { workspace, rule });
  startRun = (body: RunBody, once?: string) => this.ask<RunBegun>('POST', '/api/runs', body, once);
  /** One page, the latest first; `next` of it is the `after` of the next one. */
  runs = (page: RunsAsked = {}) =>
    this.ask<{ runs: RunSummary[]; next: string | null }>('GET', pathTo('/api/runs', page));
  sessions = () => this.ask<{ sessions: SessionSummary[] }>('GET', '/api/sessions');
  run = (id: string): RunHandle => new RunHandle(this, id);
  session = (id: string): SessionHandle => new SessionHandle(this, id);
  /** Streams every change. */
  events = (signal?: AbortSignal) => this.stream('/api/events', signal ? { signal } : {});

  async createSession(body: SessionBody, once?: string): Promise<SessionHandle> {
    return this.session((await this.ask<SessionBegun>('POST', '/api/sessions', body, once)).id);
  }

  async resumeSession(id: string, body: SessionResume): Promise<SessionHandle> {
    // The log of another program becomes a new conversation.
    const resumed = await this.ask<SessionResumed>('POST', `/api/sessions/${id}/resume`, body);
    return this.session(resumed.id);
  }

  /** Ends when the server ends the stream for good, or when `signal` is aborted. */
  stream(path: string, options: StreamOptions = {}): AsyncGenerator<ClientEvent, void> {
    const { after = '', signal } = options;
    const ask = (headers: Record<string, string>, stop: AbortSignal) =>
      this.#send('GET', withQuery(path, options), { headers, signal: stop });
    return followEvents(ask, after, signal);
  }

  async #send(method: Method, path: string, how: RequestInit): Promise<Response> {
    const headers = {
      ...how.headers,
      ...(this.token === '' ? {} : { Authorization: `Bearer ${this.token}` }),
    };
    const response = await this.#fetch(this.url + path, { ...how, method, headers });
    if (response.ok) return response;
    throw await readProblem(response);
  }
}

/** The requests about one run or one conversation. */
const requestsBelow = (client: Client, path: string) => ({
  get: <Answer>(what: string) => client.ask<Answer>('GET', path + what),
  post: <Answer>(what: string, body: object = {}, once?: string) =>
    client.ask<Answer>('POST', path + what, body, once),
  delete: () => client.ask<null>('DELETE', path),
  stream: (what: string, options?: StreamOptions) => client.stream(path + what, options),
});
type Requests = ReturnType<typeof requestsBelow>;

/** One run. */
export class RunHandle {
  readonly #at: Requests;

  constructor(
    client: Client,
    readonly id: string,
  ) {
    this.#at = requestsBelow(client, `/api/runs/${encodeURIComponent(id)}`);
  }

  get = () => this.#at.get<RunDetail>('');
  events = (options?: StreamOptions) => this.#at.stream('/events', options);
  history = (after = '') =>
    this.#at.get<HistoryPage>(pathTo('/history', { after: after || undefined }));
  approve = (id: string, approval: Approval) =>
    this.#at.post<object>(`/approvals/${encodeURIComponent(id)}`, approval);
  say = (text: string) => this.#at.post<object>('/say', { text });
  resume = (body: ResumeBody = {}, once?: string) => this.#at.post<RunBegun>('/resume', body, once);
  cancel = () => this.#at.post<object>('/cancel');
  undo = (body: { path?: string; dryRun?: boolean } = {}) =>
    this.#at.post<UndoAnswer>('/undo', body);
  /** Brings in what is withheld. */
  apply = () => this.#at.post<ApplyAnswer>('/apply');
  plan = () => this.#at.get<RunPlan>('/plan');
  facts = () => this.#at.get<RunFacts>('/facts');
  /** The output of a call, from a character on. */
  output = (action: string, from = 0) =>
    this.#at.get<OutputPiece>(`/outputs/${encodeURIComponent(action)}?from=${from}`);
  /** Without the key of a plan it only shows the plan. */
  adopt = (agreed?: string) => this.#at.post<AdoptAnswer>('/adopt', { agreed });
  repair = (agreed?: string) => this.#at.post<RepairAnswer>('/repair', { agreed });
  diff = (path?: string) => this.#at.get<Diff>(pathTo('/diff', { path }));
}

/** One conversation, whose stream this client holds. */
export class SessionHandle {
  readonly #at: Requests;

  constructor(
    client: Client,
    readonly id: string,
  ) {
    this.#at = requestsBelow(client, `/api/sessions/${encodeURIComponent(id)}`);
  }

  get = () => this.#at.get<SessionDetail>('');
  events = (options?: StreamOptions) => this.#at.stream('/stream', options);
  chat = (message: string) => this.#at.post<{ turn: number }>('/chat', { message });
  approve = (callId: string, approved: boolean, reason?: string) =>
    this.#at.post<object>(`/approvals/${encodeURIComponent(callId)}`, {
      approved,
      ...(reason === undefined ? {} : { reason }),
    });
  cancel = () => this.#at.post<object>('/cancel');
  undo = (body: { all?: boolean; path?: string; dryRun?: boolean } = {}) =>
    this.#at.post<UndoAnswer>('/undo', body);
  /** A slash command, such as `/model NAME`. */
  command = (text: string) => this.#at.post<{ said: string }>('/commands', { text });
  close = () => this.#at.delete();

  /** Sends a message and yields its events, up to `completed`, or `message_ended` in our own names. */
  async *send(message: string, options: StreamOptions = {}): AsyncGenerator<ClientEvent, void> {
    // Unread events of an earlier message do not belong to this one.
    const { lastEventId: after } = await this.get();
    await this.chat(message);
    const end = options.names === 'tardigrade' ? 'message_ended' : 'completed';
    for await (const event of this.events({ after, ...options })) {
      yield event;
      if (event.event === end) return;
    }
  }
}

const withQuery = (path: string, { records, pieces, observe, names }: StreamOptions): string =>
  pathTo(path, {
    records: records === true ? '1' : undefined,
    pieces: pieces === false ? '0' : undefined,
    observe: observe === true ? '1' : undefined,
    names,
  });

function pathTo(path: string, asked: { readonly [word: string]: string | number | undefined }) {
  const words = Object.entries(asked).flatMap(([word, value]) =>
    value === undefined ? [] : [[word, String(value)] as [string, string]],
  );
  const query = new URLSearchParams(words);
  return query.size === 0 ? path : `${path}?${query}`;
}
