/** Owns the connections to one server: abortable at any moment, silent, without time limit. */
import type { IncomingMessage } from 'node:http';
import { isRecord } from '../../lib/json-value.ts';
import {
  bytesOf,
  createConnections,
  headersOf,
  letGo,
  readRefusal,
  readText,
} from '../http/connections.ts';
import { inAnswer } from '../http/error-body.ts';
import type { RequestTarget } from '../http/failure.ts';
import { splitIntoLines } from '../http/lines.ts';
import { invalidAnswer } from '../provider.ts';
import { responseError } from './errors.ts';

/** The address of requests, which error messages name. */
export interface OllamaAddress {
  /** Base URL without a slash at its end. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface OllamaCall {
  /** Below the base URL: `/api/chat`. */
  readonly path: string;
  /** Sent as JSON by POST; without it the request is a GET. */
  readonly body?: unknown;
  /** For error messages; '' if no model is meant. */
  readonly model: string;
  readonly signal: AbortSignal;
  /** Milliseconds until a connection is established. */
  readonly connectMs?: number;
}

export interface OllamaClient {
  /** The answer to a small question. Throws a SyntaxError if it is not JSON. */
  ask(call: OllamaCall): Promise<unknown>;
  /** The lines of a streamed answer. */
  stream(call: OllamaCall): AsyncGenerator<unknown>;
  close(): void;
}

export function createClient({ url, headers }: OllamaAddress): OllamaClient {
  const connections = createConnections();
  /** The response to an accepted request, with its body unread. Anything else is an error. */
  const request = async (call: OllamaCall): Promise<IncomingMessage> => {
    const { path, body, model, signal, connectMs } = call;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await connections.send({
      url: new URL(`${url}${path}`),
      headers: { accept: 'application/json, application/x-ndjson', ...type, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      signal,
      connectMs,
    });
    const { statusCode: status = 0 } = response;
    if (status >= 200 && status < 300) return response;
    const header = headersOf(response);
    throw responseError({ status, body: await readRefusal(response), header }, { url, model });
  };
  return {
    ask: async (call) => JSON.parse(await readText(await request(call))),
    async *stream(call) {
      yield* readLines(await request(call), { url, model: call.model });
    },
    close: connections.close,
  };
}

/**
 * Parsed lines, one at a time and only on demand, so that everything sent before a failure arrives before it. A line
 * that is not Ollama's is the failure. The connection of a finished answer is kept for the next request; if reading
 * stops earlier, it is closed.
 */
async function* readLines(
  response: IncomingMessage,
  asked: RequestTarget,
): AsyncGenerator<unknown> {
  let isDone = false;
  try {
    for await (const line of splitIntoLines(bytesOf(response))) {
      if (line.trim() === '') continue;
      const parsed = parseLine(line, asked);
      isDone = isLast(parsed);
      yield parsed;
    }
  } finally {
    if (isDone) letGo(response);
    else response.destroy();
  }
}

function parseLine(line: string, asked: RequestTarget): unknown {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch (cause) {
    throw invalidAnswer(`A line of Ollama's answer is not JSON: ${line.slice(0, 120)}`, '', {
      cause,
    });
  }
  if (isRecord(parsed) && 'error' in parsed) throw responseError(inAnswer(parsed.error), asked);
  return parsed;
}

const isLast = (parsed: unknown): boolean => isRecord(parsed) && parsed.done === true;
