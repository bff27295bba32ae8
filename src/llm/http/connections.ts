/**
 * Requests over Node's own client, which has no time limit on headers: they arrive only after a model has been loaded
 * and has read its prompt, which takes minutes on a laptop.
 *
 * Owns a pool of connections for each scheme, opened by the first request; `close` frees everything.
 * 1. Only connecting has a time limit.
 * 2. An abort closes the connection at any moment, even before headers arrive, unless the whole answer is here already.
 * 3. Only the headers of the call leave the machine, besides what HTTP needs.
 * 4. A kept connection that turns out to be closed costs the caller nothing: the request is sent once more over a new
 *    one, as Node advises (`request.reusedSocket`).
 */
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { LONGEST_TIMER_MS } from '../../lib/clock.ts';
import { atMost, BOUNDS } from '../wire/bounds.ts';
import type { HeaderLookup } from './retry-after.ts';

const DEFAULT_CONNECT_MS = 10_000;
/** An idle connection is closed sooner than any server would close it. */
const IDLE_MS = 4000;

export interface HttpCall {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent by POST; without it the request is a GET. */
  readonly body: string | null;
  readonly signal: AbortSignal | null | undefined;
  /** Milliseconds until a connection is established. */
  readonly connectMs?: number | undefined;
}

export interface Connections {
  /** The head of the answer, whatever its status, with its body unread. Rejects with Node's own error. */
  send(call: HttpCall): Promise<IncomingMessage>;
  close(): void;
}

/** Node's own client for one scheme. */
interface Pool {
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
  readonly agent: Agent;
  /** The event of a socket that is ready to be written to. */
  readonly connected: 'connect' | 'secureConnect';
}

export function createConnections(): Connections {
  const opened = new Map<string, Promise<Pool>>();
  const poolFor = (scheme: string): Promise<Pool> => {
    const pool = opened.get(scheme) ?? openPool(scheme);
    opened.set(scheme, pool);
    return pool;
  };
  return {
    send: async (call) => await sendOver(await poolFor(call.url.protocol), call),
    close() {
      for (const pool of opened.values()) void pool.then(({ agent }) => agent.destroy());
      opened.clear();
    },
  };
}

/** Loaded with the first request, so that a run on another backend never pays for it. */
async function openPool(scheme: string): Promise<Pool> {
  const options = { keepAlive: true, timeout: IDLE_MS };
  if (scheme === 'https:') {
    const { Agent, request } = await import('node:https');
    return { request, agent: new Agent(options), connected: 'secureConnect' };
  }
  const { Agent, request } = await import('node:http');
  return { request, agent: new Agent(options), connected: 'connect' };
}

async function sendOver(pool: Pool, call: HttpCall): Promise<IncomingMessage> {
  try {
    return await exchange(pool, call);
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    return await exchange({ ...pool, agent: false }, call);
  }
}

/** A kept connection broke before any of the answer arrived. */
class StaleConnection extends Error {}

function exchange(
  { request, agent, connected }: Omit<Pool, 'agent'> & { readonly agent: Agent | false },
  { url, headers, body, signal, connectMs = DEFAULT_CONNECT_MS }: HttpCall,
): Promise<IncomingMessage> {
  const bytes = body === null ? null : Buffer.from(body);
  const length = bytes === null ? {} : { 'content-length': bytes.length };
  const method = bytes === null ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers: { ...headers, ...length } });
    let answer: IncomingMessage | null = null;
    // Not passed as an option of the request: there it would stay on the connection and end later requests. No error is
    // passed, since nobody would hear it on a connection that was just returned.
    const abort = () => void (answer?.complete ? answer.resume() : sent.destroy());
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    sent.on('close', () => signal?.removeEventListener('abort', abort));
    // Both listeners stay: the reader of the body is notified as well, and after the last byte nobody cares what
    // happens to the connection.
    sent.on('error', (error) => {
      const isStale = sent.reusedSocket && answer === null && !signal?.aborted;
      reject(isStale ? new StaleConnection('', { cause: error }) : error);
    });
    sent.on('response', (response) => {
      answer = response.on('error', reject);
      resolve(answer);
    });
    sent.on('socket', (socket) => {
      if (!socket.connecting) return;
      const ms = Math.min(connectMs, LONGEST_TIMER_MS);
      const timer = setTimeout(() => sent.destroy(connectTimeout(ms)), ms);
      socket.once(connected, () => clearTimeout(timer));
      socket.once('close', () => clearTimeout(timer));
    });
    sent.end(bytes);
  });
}

const connectTimeout = (ms: number): Error =>
  Object.assign(new Error(`No connection within ${ms / 1000} s`), { code: 'ETIMEDOUT' });

/** The bytes as they arrive, up to a bound. Ending the iteration early leaves the connection as it is. */
export const bytesOf = (answer: IncomingMessage): AsyncIterableIterator<Uint8Array> =>
  atMost(answer.iterator({ destroyOnReturn: false }));

/** How long a server may take to finish an answer that is no longer read. */
const LINGER_MS = 1000;

/** Nobody reads any further: the connection is kept for the next request if the answer ends soon. */
export function letGo(answer: IncomingMessage): void {
  if (answer.closed) return;
  answer.resume();
  const timer = setTimeout(() => answer.destroy(), LINGER_MS).unref();
  answer.once('close', () => clearTimeout(timer));
}

/** The whole body. Throws a `ProviderError` if it is larger than any answer that is read as a whole. */
export async function readText(answer: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of atMost(answer, BOUNDS.body)) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

/** The beginning of a refusal; if there is more, the connection is closed. */
export async function readRefusal(answer: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  let room: number = BOUNDS.refusal;
  for await (const part of answer as AsyncIterable<Uint8Array>) {
    parts.push(part.subarray(0, room));
    room -= part.length;
    if (room <= 0) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

export const headersOf =
  ({ headers }: IncomingMessage): HeaderLookup =>
  (name) =>
    [headers[name]].flat()[0] ?? null;
