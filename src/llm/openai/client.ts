/**
 * Owns the connections to one base URL. Only `headers` leave the machine, besides what HTTP needs; nothing is read from
 * the environment.
 */
import type { IncomingMessage } from 'node:http';
import { isRecord, jsonIn } from '../../lib/json-value.ts';
import {
  bytesOf,
  createConnections,
  headersOf,
  letGo,
  readRefusal,
  readText,
} from '../http/connections.ts';
import { inAnswer, RefusedRequest } from '../http/error-body.ts';
import { sseData } from '../http/sse.ts';
import type { StreamLimits } from '../provider.ts';
import type { BaseUrl } from './base-url.ts';

/** Both throw `RefusedRequest`, a `SyntaxError` for invalid JSON, or Node's own error. */
export interface OpenAiClient {
  /** The chunks of a streamed answer, unchanged. */
  stream(body: object, signal: AbortSignal, limits?: StreamLimits): AsyncGenerator<unknown>;
  /** The answer to a small question, at a path below the base URL or at a whole URL. */
  get(pathOrUrl: string, signal: AbortSignal): Promise<unknown>;
  close(): void;
}

const QUESTION = { accept: 'application/json' };
const CHAT = {
  accept: 'text/event-stream, application/json',
  'content-type': 'application/json',
};

export function createClient(
  base: BaseUrl,
  headers: Readonly<Record<string, string>>,
): OpenAiClient {
  const connections = createConnections();
  return {
    async *stream(body, signal, limits) {
      signal.throwIfAborted();
      const answer = await connections.send({
        url: urlOf(base, '/chat/completions'),
        headers: { ...CHAT, ...headers },
        body: JSON.stringify(body),
        signal,
        connectMs: limits?.connectMs,
      });
      yield* readStream(await taken(answer));
    },
    async get(pathOrUrl, signal) {
      signal.throwIfAborted();
      const answer = await connections.send({
        url: urlOf(base, pathOrUrl),
        headers: { ...QUESTION, ...headers },
        body: null,
        signal,
      });
      return JSON.parse(await readText(await taken(answer)));
    },
    close: connections.close,
  };
}

/** Includes the query of the base URL. */
function urlOf({ url, query }: BaseUrl, pathOrUrl: string): URL {
  const target = new URL(/^https?:/.test(pathOrUrl) ? pathOrUrl : `${url}${pathOrUrl}`);
  target.search = Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  return target;
}

/** The same answer if the request was accepted. A web page is never a valid answer, whatever its status. */
async function taken(answer: IncomingMessage): Promise<IncomingMessage> {
  const { statusCode: status = 0, headers } = answer;
  const isPage = /html/i.test(headers['content-type'] ?? '');
  if (status >= 200 && status < 300 && !isPage) return answer;
  throw new RefusedRequest({ status, body: await readRefusal(answer), header: headersOf(answer) });
}

/** The most characters outside events from which an error is made. */
const MAX_STRAY = 8192;

/**
 * Chunks one at a time, unchanged. Throws `RefusedRequest` if one is an error, and a `SyntaxError` if one is not JSON.
 * The connection of a finished answer is kept for the next request; if reading stops earlier, it is closed.
 */
async function* readStream(answer: IncomingMessage): AsyncGenerator<unknown> {
  let isDone = false;
  try {
    for await (const data of dataOf(answer)) {
      const chunk: unknown = JSON.parse(data);
      const error = isRecord(chunk) ? chunk.error : undefined;
      if (error) throw new RefusedRequest(inAnswer(error));
      yield chunk;
    }
    isDone = true;
  } finally {
    if (isDone || answer.complete) letGo(answer);
    else answer.destroy();
  }
}

/** Some servers answer a stream request with the whole answer, or with an error under a success status. */
async function* dataOf(answer: IncomingMessage): AsyncGenerator<string> {
  if (/\bjson\b/i.test(answer.headers['content-type'] ?? '')) {
    yield await readText(answer);
    return;
  }
  let stray = '';
  yield* sseData(bytesOf(answer), {
    last: '[DONE]',
    onStray: (line) => {
      if (stray.length < MAX_STRAY) stray += `${line}\n`;
    },
  });
  const error = strayError(stray);
  if (error !== null) yield error;
}

/** Older llama.cpp writes `error: {…}`, some gateways plain JSON. */
function strayError(stray: string): string | null {
  const named = /^error: ?(\{.*\})$/m.exec(stray)?.[1];
  if (named !== undefined) return isJson(named) ? `{"error":${named}}` : null;
  const whole = stray.trim();
  return whole.startsWith('{') && isJson(whole) ? whole : null;
}

const isJson = (text: string): boolean => jsonIn(text) !== undefined;
