// HTTP to Ollama: abortable at any moment, silent, and patient: headers come only after load and
// prompt reading, which takes minutes on a laptop. Only connecting has a time limit.
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { responseError } from './errors.ts';

const DEFAULT_CONNECT_MS = 10_000;
/** An idle connection is kept for less than any server closes it after. */
const IDLE_MS = 4000;

/** Where requests go, and what error messages name. */
export interface Target {
  /** Base URL without a slash at its end. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Call {
  /** Below the base URL: `/api/chat`. */
  readonly path: string;
  /** Sent as JSON by POST; without it the request is a GET. */
  readonly body?: unknown;
  /** For error messages; '' where no model is meant. */
  readonly model: string;
  readonly signal: AbortSignal;
  /** Milliseconds until a connection stands. */
  readonly connectMs?: number;
}

/** Node's own client for one scheme, with a pool of connections. */
export interface Connection {
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
  readonly agent: Agent;
  /** Fires on a socket that is ready to be written to. */
  readonly connected: 'connect' | 'secureConnect';
}

/** Loaded when the first request is made; a run on another backend never pays for it. */
export async function openConnection({ url }: Target): Promise<Connection> {
  if (url.startsWith('https:')) {
    const { Agent, request } = await import('node:https');
    const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
    return { request, agent, connected: 'secureConnect' };
  }
  const { Agent, request } = await import('node:http');
  return { request, agent: new Agent({ keepAlive: true, timeout: IDLE_MS }), connected: 'connect' };
}

/** The response to a request that was taken, its body unread. Everything else is an error. */
export async function send(
  connection: Connection,
  target: Target,
  call: Call,
): Promise<IncomingMessage> {
  const response = await exchange(connection, target, call);
  const { statusCode: status = 0, headers } = response;
  if (status >= 200 && status < 300) return response;
  throw responseError({
    url: target.url,
    model: call.model,
    status,
    body: await readText(response),
    retryAfter: headers['retry-after'] ?? null,
    location: headers.location ?? null,
  });
}

function exchange(
  { request, agent, connected }: Connection,
  { url, headers }: Target,
  { path, body, signal, connectMs = DEFAULT_CONNECT_MS }: Call,
): Promise<IncomingMessage> {
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  const options: RequestOptions = {
    agent,
    method: bytes === null ? 'GET' : 'POST',
    headers: {
      accept: 'application/json, application/x-ndjson',
      ...(bytes === null
        ? {}
        : { 'content-type': 'application/json', 'content-length': bytes.length }),
      ...headers,
    },
  };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(`${url}${path}`), options);
    // Not as an option of the request: there it would stay on the connection and end later ones.
    // Without an error: nobody hears it on a connection that was just handed back.
    const abort = () => sent.destroy();
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    sent.on('close', () => signal.removeEventListener('abort', abort));
    // Both listen for ever: who reads the body is told as well, and once the last line was read,
    // an abort is nobody's concern.
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

export async function readText(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const bytes of response) parts.push(bytes);
  return Buffer.concat(parts).toString('utf8');
}
