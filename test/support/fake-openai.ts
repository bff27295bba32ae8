/**
 * A real HTTP server that speaks /chat/completions.
 *
 * Owns its socket and the requests it saw: bodies and headers, in order. It refuses calls without
 * results as the API does; what else it answers comes from the script.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Failure, openAiError } from './fake-openai-bodies.ts';
import { openAiFault } from './wire-rules.ts';

export type OpenAiReply =
  | Failure
  | {
      /** The body as it goes over the wire, in one piece or in several. */
      readonly stream: string | readonly (string | Uint8Array)[];
      readonly headers?: Readonly<Record<string, string>>;
      /** Waited for before the headers, as for a model that loads. */
      readonly beforeHeaders?: Promise<unknown>;
      /** Waited for behind the headers, as for a model that reads its prompt. */
      readonly beforeBody?: Promise<unknown>;
      /** Waited for before the body ends, or is cut. */
      readonly beforeEnd?: Promise<unknown>;
      /** The socket is destroyed instead of an end. */
      readonly isCut?: boolean;
    }
  | { readonly cut: 'before headers' };

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Record<string, unknown>[];
  readonly [field: string]: unknown;
}

export interface FakeOpenAiOptions {
  /** `n` counts chat requests from 1. */
  readonly script?: (
    request: ChatRequest,
    n: number,
    headers: IncomingMessage['headers'],
  ) => OpenAiReply;
  /** Answers to GET: `/v1/models` → JSON, or a failure. Other paths are 404 with a page. */
  readonly pages?: Readonly<Record<string, unknown>>;
  /** Any key is taken where this is left out. */
  readonly apiKey?: string;
}

export interface FakeOpenAi {
  /** Ends in `/v1`. */
  readonly url: string;
  /** Every request: `GET /v1/models`. */
  readonly requests: readonly string[];
  readonly chats: readonly string[];
  readonly headers: readonly IncomingMessage['headers'][];
  chat(index: number): ChatRequest;
  /** Resolves when the n-th chat request has arrived. */
  whenChat(n: number): Promise<void>;
  /** Resolves when the client of the n-th chat request has gone away before its answer's end. */
  whenDisconnected(n: number): Promise<void>;
  close(): Promise<void>;
}

export async function startFakeOpenAi(options: FakeOpenAiOptions = {}): Promise<FakeOpenAi> {
  const requests: string[] = [];
  const chats: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const arrived = milestones();
  const disconnected = milestones();
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    if (!isAllowed(request, options)) return sendPage(response, BAD_KEY);
    if (request.method === 'GET') return sendPage(response, options.pages?.[request.url ?? '']);
    const body = await readBody(request);
    chats.push(body);
    const n = chats.length;
    response.once('close', () => {
      if (!response.writableFinished) disconnected.reach(n);
    });
    arrived.reach(n);
    const asked: ChatRequest = JSON.parse(chats.at(-1) ?? '');
    const fault = openAiFault(asked.messages);
    if (fault !== null) return sendPage(response, openAiError(400, fault, 'invalid_request_error'));
    await sendReply(response, options.script?.(asked, n, request.headers) ?? { stream: '' });
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    chats,
    headers,
    chat: (index) => JSON.parse(chats.at(index) ?? 'null'),
    whenChat: arrived.wait,
    whenDisconnected: disconnected.wait,
    close: () => stop(server),
  };
}

const BAD_KEY = openAiError(401, 'Incorrect API key provided.', 'invalid_api_key');

const isAllowed = ({ headers }: IncomingMessage, { apiKey }: FakeOpenAiOptions): boolean =>
  apiKey === undefined || headers.authorization === `Bearer ${apiKey}`;

function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}

function sendPage(response: ServerResponse, page: unknown): void {
  if (page === undefined) {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<html>no such page</html>');
  } else if (isFailure(page)) {
    response
      .writeHead(page.status, { 'content-type': 'application/json', ...page.headers })
      .end(page.body);
  } else {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
  }
}

async function sendReply(response: ServerResponse, reply: OpenAiReply): Promise<void> {
  if ('cut' in reply) return void response.socket?.destroy();
  if (isFailure(reply)) return sendPage(response, reply);
  await reply.beforeHeaders;
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers });
  if (reply.beforeBody) response.flushHeaders();
  await reply.beforeBody;
  const parts = typeof reply.stream === 'string' ? [reply.stream] : reply.stream;
  for (const part of parts) await new Promise<void>((next) => response.write(part, () => next()));
  await reply.beforeEnd;
  if (reply.isCut) response.socket?.destroy();
  else response.end();
}

const isFailure = (value: unknown): value is Failure =>
  typeof value === 'object' && value !== null && 'status' in value && 'body' in value;

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** Lets tests wait for a numbered event without polling. */
function milestones(): { reach(n: number): void; wait(n: number): Promise<void> } {
  const known = new Map<number, { promise: Promise<void>; resolve: () => void }>();
  const at = (n: number) => {
    let resolve: () => void = () => undefined;
    const promise = new Promise<void>((settle) => {
      resolve = settle;
    });
    const made = known.get(n) ?? { promise, resolve };
    known.set(n, made);
    return made;
  };
  return { reach: (n) => at(n).resolve(), wait: (n) => at(n).promise };
}
