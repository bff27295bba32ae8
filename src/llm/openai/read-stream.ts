// The chunks of a streamed answer, and what some servers send instead of them.
import type { IncomingMessage } from 'node:http';
import { isRecord, jsonIn } from '../../lib/json-value.ts';
import { bytesOf, letGo, readText } from '../http/connections.ts';
import { inAnswer, RefusedRequest } from '../http/error-body.ts';
import { sseData } from '../http/sse.ts';

/** The most characters outside events from which an error is made. */
const MOST_STRAY = 8192;

/**
 * Chunks one at a time, unchanged. Throws `RefusedRequest` if one is an error, and a `SyntaxError` if one is not JSON.
 * The connection of a finished answer is kept for the next request; if reading stops earlier, it is closed.
 */
export async function* readStream(answer: IncomingMessage): AsyncGenerator<unknown> {
  let isDone = false;
  try {
    for await (const data of dataOf(answer)) {
      const chunk: unknown = JSON.parse(data);
      const error = errorIn(chunk);
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
      if (stray.length < MOST_STRAY) stray += `${line}\n`;
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

const errorIn = (chunk: unknown): unknown => (isRecord(chunk) ? chunk.error : undefined);
