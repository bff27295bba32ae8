/**
 * A real HTTP server that speaks the wire of Anthropic's Messages API, version 2026-10-21.
 *
 * Owns its socket and the requests it saw (raw bodies, in order). Refuses what the API refuses, with
 * its sentences; what a good request is answered with comes from the script.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AnthropicReply, sendReply } from './fake-anthropic-replies.ts';
import { type AnthropicBody, refusalOf } from './fake-anthropic-validation.ts';

export type { AnthropicReply } from './fake-anthropic-replies.ts';
export type { AnthropicBody } from './fake-anthropic-validation.ts';

export interface FakeAnthropicOptions {
  /** `n` counts requests for messages from 1. */
  readonly script?: (
    body: AnthropicBody,
    n: number,
    headers: IncomingMessage['headers'],
  ) => AnthropicReply | Promise<AnthropicReply>;
  /** What /v1/models says; null: the server has no such path. */
  readonly models?: readonly Readonly<Record<string, unknown>>[] | null;
  /** What a question for one model is answered with, whichever it is. */
  readonly modelPage?: { readonly status: number; readonly body: string };
  /** Any key is taken where this is left out. */
  readonly apiKey?: string;
  readonly port?: number;
  /** Every answer ends its connection, so that the next request is the first of another one. */
  readonly closesConnections?: boolean;
}

export interface FakeAnthropic {
  readonly url: string;
  readonly port: number;
  /** Every request: `POST /v1/messages`. */
  readonly requests: readonly string[];
  /** Headers of every request. */
  readonly headers: readonly IncomingMessage['headers'][];
  /** Raw bodies of the requests for messages. */
  readonly raw: readonly string[];
  body(index: number): AnthropicBody;
  /** How many connections were opened. */
  connections(): number;
  whenRequest(n: number): Promise<void>;
  /** Resolves when the client of the n-th request for messages has gone away before its end. */
  whenDisconnected(n: number): Promise<void>;
  close(): Promise<void>;
}

export const CLAUDE = 'claude-sonnet-5-5';

const supported = (value: boolean) => ({ supported: value });

/** A model as /v1/models describes it. */
export const wireModel = (
  id: string,
  changes: { readonly schema?: boolean; readonly thinking?: 'none' | 'switchable' | 'always' } = {},
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> => ({
  type: 'model',
  id,
  display_name: id,
  created_at: '2026-10-01T00:00:00Z',
  lifecycle: 'active',
  max_input_tokens: 1_000_000,
  max_tokens: 128_000,
  capabilities: {
    structured_outputs: supported(changes.schema ?? true),
    thinking: {
      supported: (changes.thinking ?? 'switchable') !== 'none',
      types: {
        adaptive: supported(true),
        between_tools: supported(false),
        disabled: supported(changes.thinking !== 'always'),
        enabled: supported(false),
      },
    },
  },
  ...more,
});

export async function startFakeAnthropic(
  options: FakeAnthropicOptions = {},
): Promise<FakeAnthropic> {
  const state = new FakeState(options);
  const server = createServer((request, response) => {
    response.shouldKeepAlive = options.closesConnections !== true;
    void state.answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(`fake-anthropic: ${String(error)}`);
    });
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: state.requests,
    headers: state.headers,
    raw: state.raw,
    body: (index) => JSON.parse(state.raw.at(index) ?? 'null'),
    connections: () => connections,
    whenRequest: (n) => state.arrived.wait(n),
    whenDisconnected: (n) => state.gone.wait(n),
    close: () => stopServer(server),
  };
}

function stopServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}

/** Lets tests wait for a numbered event without polling. */
class Milestones {
  private readonly reached = new Set<number>();
  private readonly waiting: { readonly n: number; readonly resolve: () => void }[] = [];

  reach(n: number): void {
    this.reached.add(n);
    for (const one of this.waiting) if (one.n === n) one.resolve();
  }

  wait(n: number): Promise<void> {
    if (this.reached.has(n)) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ n, resolve }));
  }
}

class FakeState {
  readonly requests: string[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  readonly raw: string[] = [];
  readonly arrived = new Milestones();
  readonly gone = new Milestones();

  constructor(private readonly options: FakeAnthropicOptions) {}

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace(/\?.*/, '');
    this.requests.push(`${request.method} ${path}`);
    this.headers.push(request.headers);
    const { apiKey } = this.options;
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
      fail(response, 401, 'authentication_error', 'invalid api key');
      return;
    }
    if (path.startsWith('/v1/models')) this.answerModels(path, response);
    else if (path === '/v1/messages') await this.answerMessage(request, response);
    else fail(response, 404, 'not_found_error', 'Not Found');
  }

  private answerModels(path: string, response: ServerResponse): void {
    const { models = [wireModel(CLAUDE)], modelPage } = this.options;
    const name = decodeURIComponent(path.slice('/v1/models/'.length));
    const model = models?.find(({ id, alias }) => id === name || alias === name);
    if (modelPage && name !== '') {
      response
        .writeHead(modelPage.status, { 'content-type': 'application/json' })
        .end(modelPage.body);
    } else if (models === null) response.writeHead(404).end('404 page not found');
    else if (name === '') json(response, { data: models, has_more: false });
    else if (model) json(response, model);
    else fail(response, 404, 'not_found_error', `model: ${name}`);
  }

  private async answerMessage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const bytes of request) parts.push(bytes);
    const raw = Buffer.concat(parts).toString('utf8');
    const n = this.raw.push(raw);
    response.once('close', () => {
      if (!response.writableFinished) this.gone.reach(n);
    });
    this.arrived.reach(n);
    const body: AnthropicBody = JSON.parse(raw);
    const refusal = refusalOf(body, request.headers);
    if (refusal !== null) fail(response, 400, 'invalid_request_error', refusal);
    else {
      const reply = await this.options.script?.(body, n, request.headers);
      await sendReply(response, reply ?? { content: 'ok' });
    }
  }
}

const json = (response: ServerResponse, value: unknown): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

export const errorBody = (type: string, message: string, details?: unknown): string =>
  JSON.stringify({
    type: 'error',
    error: { type, message, ...(details === undefined ? {} : { details }) },
    request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
  });

const fail = (response: ServerResponse, status: number, type: string, message: string): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(errorBody(type, message));
