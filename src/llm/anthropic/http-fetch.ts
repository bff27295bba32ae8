/**
 * The `fetch` the SDK is given, over Node's own client.
 *
 * Owns one pool of connections.
 * 1. Nothing but connecting has a time limit: the global `fetch` gives up after 300 s without headers.
 * 2. An abort closes the connection at any moment, unless the whole answer is here already.
 * 3. Only the headers named here leave the machine; the key is added here and known to nobody above.
 */
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';

const DEFAULT_CONNECT_MS = 10_000;
/** An idle connection is kept for less than any server closes it after. */
const IDLE_MS = 4000;

const SENT = ['accept', 'content-type', 'user-agent', 'anthropic-version'] as const;
const WITHOUT_BODY = new Set([204, 205, 304]);

export interface HttpFetch {
  readonly fetch: typeof globalThis.fetch;
  /** The same over the same connections, with another time limit for connecting. */
  within(connectMs: number): typeof globalThis.fetch;
  close(): void;
}

interface Connection {
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
  readonly agent: Agent;
  /** Fires on a socket that is ready to be written to. */
  readonly connected: 'connect' | 'secureConnect';
}

/** `headers` are added to every request and win over the SDK's. */
export function httpFetch(headers: Readonly<Record<string, string>>): HttpFetch {
  const opened = new Map<string, Promise<Connection>>();
  const connection = (scheme: string): Promise<Connection> => {
    const known = opened.get(scheme) ?? openConnection(scheme);
    opened.set(scheme, known);
    return known;
  };
  const within =
    (connectMs: number): typeof globalThis.fetch =>
    async (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : input);
      init.signal?.throwIfAborted();
      return await exchange(await connection(url.protocol), { url, init, headers, connectMs });
    };
  return {
    fetch: within(DEFAULT_CONNECT_MS),
    within,
    close() {
      for (const known of opened.values()) void known.then(({ agent }) => agent.destroy());
      opened.clear();
    },
  };
}

async function openConnection(scheme: string): Promise<Connection> {
  const options = { keepAlive: true, timeout: IDLE_MS };
  if (scheme === 'https:') {
    const { Agent, request } = await import('node:https');
    return { request, agent: new Agent(options), connected: 'secureConnect' };
  }
  const { Agent, request } = await import('node:http');
  return { request, agent: new Agent(options), connected: 'connect' };
}

interface Exchange {
  readonly url: URL;
  readonly init: RequestInit;
  readonly headers: Readonly<Record<string, string>>;
  readonly connectMs: number;
}

function exchange(
  { request, agent, connected }: Connection,
  { url, init, headers: added, connectMs }: Exchange,
): Promise<Response> {
  const given = new Headers(init.headers);
  const bytes = typeof init.body === 'string' ? Buffer.from(init.body) : null;
  const options: RequestOptions = {
    agent,
    method: init.method ?? 'GET',
    headers: {
      ...Object.fromEntries(SENT.flatMap((name) => headerOf(given, name))),
      ...(bytes ? { 'content-length': bytes.length } : {}),
      ...added,
    },
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, options);
    const { signal } = init;
    let answer: IncomingMessage | null = null;
    const abort = () => {
      if (answer?.complete) answer.resume();
      else sent.destroy(abortError());
    };
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    sent.on('close', () => signal?.removeEventListener('abort', abort));
    sent.on('error', reject);
    sent.on('response', (response) => {
      answer = response;
      try {
        resolve(responseOf(response));
      } catch (error) {
        sent.destroy();
        reject(error);
      }
    });
    sent.on('socket', (socket) => {
      if (!socket.connecting) return;
      const timer = setTimeout(() => sent.destroy(connectTimeout(connectMs)), connectMs);
      socket.once(connected, () => clearTimeout(timer));
      socket.once('close', () => clearTimeout(timer));
    });
    sent.end(bytes);
  });
}

function headerOf(headers: Headers, name: string): [string, string][] {
  const value = headers.get(name);
  return value === null ? [] : [[name, value]];
}

function responseOf(response: IncomingMessage): Response {
  const status = response.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  if (WITHOUT_BODY.has(status)) response.resume();
  return new Response(WITHOUT_BODY.has(status) ? null : bodyOf(response), { status, headers });
}

/** Bytes as they come, and no faster than they are read. */
function bodyOf(response: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      response.on('data', (bytes: Buffer) => {
        controller.enqueue(new Uint8Array(bytes));
        if ((controller.desiredSize ?? 0) <= 0) response.pause();
      });
      response.once('end', () => controller.close());
      // Stays: what happens to a connection after its answer was read is nobody's concern.
      response.on('error', (error) => controller.error(error));
      response.pause();
    },
    pull() {
      response.resume();
    },
    cancel() {
      response.removeAllListeners('data').removeAllListeners('end');
      if (response.complete) response.resume();
      else response.destroy();
    },
  });
}

const abortError = (): Error =>
  Object.assign(new Error('The request was cancelled'), { name: 'AbortError' });

const connectTimeout = (ms: number): Error =>
  Object.assign(new Error(`No connection within ${ms / 1000} s`), { code: 'ETIMEDOUT' });
