// The `fetch` that the SDK is handed: abortable at any moment, silent, and patient. Node's own gives
// up after 300 s without headers; a laptop may read a prompt for longer. Only connecting is limited.
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { FailedResponse } from './error-body.ts';
import { sseBytes } from './sse-body.ts';

const DEFAULT_CONNECT_MS = 10_000;
/** An idle connection is kept for less than any server closes it after. */
const IDLE_MS = 4000;
/** How long a server may take to end an answer that it has called done. */
const LINGER_MS = 1000;

/** What a request ended in instead of an answer. The SDK replaces other errors by its own. */
export class Carried extends Error {
  override readonly name = 'Carried';

  /** `failure`: a `FailedResponse` in `response`, or what Node threw in `cause`. */
  constructor(readonly failure: { readonly response?: FailedResponse; readonly thrown?: unknown }) {
    super('The request failed.');
  }
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface Transport {
  readonly fetch: Fetch;
  /** The same over the same connections, with another time limit for connecting. */
  within(connectMs: number): Fetch;
  close(): void;
}

/** Node's own client for one scheme, with a pool of connections. */
interface Connection {
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
  readonly agent: Agent;
  /** Fires on a socket that is ready to be written to. */
  readonly connected: 'connect' | 'secureConnect';
}

/**
 * Only `headers` leave the machine, beside what HTTP needs: the SDK would add facts about the machine
 * and what stands in OPENAI_CUSTOM_HEADERS. A POST is answered by a stream of server-sent events, a
 * GET by its whole body. Rejects with `Carried` alone.
 */
export function createTransport(headers: Readonly<Record<string, string>>): Transport {
  const opened = new Map<string, Promise<Connection>>();
  const connectionFor = (url: URL): Promise<Connection> => {
    const connection = opened.get(url.protocol) ?? openConnection(url);
    opened.set(url.protocol, connection);
    return connection;
  };
  const within =
    (connectMs: number): Fetch =>
    async (input, { body: given, signal } = {}) => {
      try {
        const url = new URL(input instanceof Request ? input.url : input);
        const body = typeof given === 'string' ? given : null;
        const connection = await connectionFor(url);
        const incoming = await exchange(connection, { url, headers, body, signal, connectMs });
        return await answer(incoming, body !== null);
      } catch (error) {
        throw error instanceof Carried ? error : new Carried({ thrown: error });
      }
    };
  return {
    fetch: within(DEFAULT_CONNECT_MS),
    within,
    close() {
      for (const connection of opened.values())
        void connection.then(({ agent }) => agent.destroy());
      opened.clear();
    },
  };
}

async function openConnection({ protocol }: URL): Promise<Connection> {
  if (protocol === 'https:') {
    const { Agent, request } = await import('node:https');
    const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
    return { request, agent, connected: 'secureConnect' };
  }
  const { Agent, request } = await import('node:http');
  return { request, agent: new Agent({ keepAlive: true, timeout: IDLE_MS }), connected: 'connect' };
}

interface Exchange {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal | null | undefined;
  readonly connectMs: number;
}

function exchange(
  { request, agent, connected }: Connection,
  { url, headers, body, signal, connectMs }: Exchange,
): Promise<IncomingMessage> {
  const bytes = body === null ? null : Buffer.from(body);
  const options: RequestOptions = {
    agent,
    method: bytes === null ? 'GET' : 'POST',
    headers: {
      accept: bytes === null ? 'application/json' : 'text/event-stream, application/json',
      ...(bytes === null
        ? {}
        : { 'content-type': 'application/json', 'content-length': bytes.length }),
      ...headers,
    },
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, options);
    const abort = () => sent.destroy();
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    sent.on('close', () => signal?.removeEventListener('abort', abort));
    // Both listen for ever: after the answer was read, an abort is nobody's concern.
    sent.on('error', reject);
    sent.on('response', (response) => resolve(response.on('error', reject)));
    sent.on('socket', (socket) => {
      if (!socket.connecting) return;
      const timer = setTimeout(() => sent.destroy(connectTimeout(connectMs)), connectMs);
      socket.once(connected, () => clearTimeout(timer));
      socket.once('close', () => clearTimeout(timer));
    });
    sent.end(bytes);
  });
}

const connectTimeout = (ms: number): Error =>
  Object.assign(new Error(`No connection within ${ms / 1000} s`), { code: 'ETIMEDOUT' });

async function answer(incoming: IncomingMessage, isStream: boolean): Promise<Response> {
  const { statusCode: status = 0, headers } = incoming;
  const type = headers['content-type'] ?? '';
  const isPage = /html/i.test(type);
  if (status < 200 || status >= 300 || isPage) {
    throw new Carried({ response: await failedResponse(incoming) });
  }
  const kept = { 'content-type': 'application/json' };
  if (!isStream) return new Response(await readText(incoming), { headers: kept });
  if (!/\bjson\b/i.test(type)) return new Response(bodyOf(incoming), { headers: kept });
  // Asked for a stream, it sent the whole answer, or an error with a success as its status.
  const text = await readText(incoming);
  return new Response(`data: ${oneLine(text)}\n\ndata: [DONE]\n\n`, { headers: kept });
}

async function failedResponse(incoming: IncomingMessage): Promise<FailedResponse> {
  const { statusCode: status = 0, headers } = incoming;
  const first = (name: string): string | null => [headers[name]].flat()[0] ?? null;
  return {
    status,
    body: await readText(incoming),
    retryAfter: first('retry-after'),
    retryAfterMs: first('retry-after-ms'),
    date: first('date'),
    location: first('location'),
  };
}

function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const bytes = sseBytes(incoming.iterator({ destroyOnReturn: false }));
  const finish = (): void => {
    incoming.resume();
    const timer = setTimeout(() => incoming.destroy(), LINGER_MS).unref();
    incoming.once('close', () => clearTimeout(timer));
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await bytes.next();
        if (!done) return controller.enqueue(value);
        finish();
        controller.close();
      },
      cancel: () => void incoming.destroy(),
    },
    { highWaterMark: 0 },
  );
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

const oneLine = (json: string): string => json.trim().replace(/[\r\n]+/g, ' ');
