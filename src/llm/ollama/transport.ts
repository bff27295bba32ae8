// One HTTP request to Ollama: no time limits of its own, abortable at any moment, silent.
import { ReadableStream } from 'node:stream/web';
import type { Agent, RequestInit } from 'undici';
import { ProviderError } from '../provider.ts';
import { responseError } from './errors.ts';

export interface Target {
  readonly url: string;
  readonly model: string;
}

/** Loaded when the first request is made; a run on another backend never pays for them. */
export async function loadLibraries() {
  const [undici, { Ollama }] = await Promise.all([import('undici'), import('ollama')]);
  return { undici, Ollama };
}
export type Libraries = Awaited<ReturnType<typeof loadLibraries>>;

/** Headers come only after load and prompt reading, which takes minutes on a laptop. */
export const createAgent = (libraries: Libraries): Agent =>
  new libraries.undici.Agent({ headersTimeout: 0, bodyTimeout: 0 });

/**
 * A `fetch` for one request of the client library. Failures become `ProviderError`s here, before
 * the library can print them or turn them into sentences, and so do lines of a stream that are
 * no JSON or say `{"error"}`.
 */
export function requestFetch(
  libraries: Libraries,
  dispatcher: Agent,
  signal: AbortSignal,
  target: Target,
): typeof fetch {
  const { undici } = libraries;
  const send = async (input: string, init: RequestInit = {}) => {
    const signals = init.signal ? [signal, init.signal] : [signal];
    const response = await undici.fetch(input, {
      ...init,
      dispatcher,
      signal: AbortSignal.any(signals),
    });
    if (!response.ok) {
      throw responseError({
        ...target,
        status: response.status,
        body: await response.text(),
        retryAfter: response.headers.get('retry-after'),
      });
    }
    const isStream = response.headers.get('content-type')?.includes('ndjson') ?? false;
    if (!isStream || response.body === null) return response;
    const body = ReadableStream.from(checkedLines(response.body, target));
    return new undici.Response(body, {
      status: response.status,
      headers: response.headers,
    });
  };
  // undici's own types and the DOM's differ in names only.
  return send as unknown as typeof fetch;
}

/**
 * Whole lines, one at a time and only when asked for, so that what was said before a failure
 * arrives before it. What is no line of Ollama's, or the end without `done`, is the failure.
 */
async function* checkedLines(
  body: AsyncIterable<Uint8Array>,
  target: Target,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  let isDone = false;
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.trim() === '') continue;
      isDone = checkLine(line, target);
      yield encoder.encode(`${line}\n`);
    }
  }
  rest += decoder.decode();
  if (rest.trim() !== '') {
    isDone = checkLine(rest, target);
    yield encoder.encode(rest);
  }
  if (!isDone) {
    throw new ProviderError(
      { kind: 'invalid_response' },
      'The answer broke off: Ollama ended the stream without saying that it is done.',
      '',
    );
  }
}

/** True for the last line of an answer. */
function checkLine(line: string, target: Target): boolean {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch (cause) {
    throw new ProviderError(
      { kind: 'invalid_response' },
      `A line of Ollama's answer is no JSON: ${line.slice(0, 120)}`,
      '',
      { cause },
    );
  }
  if (typeof parsed === 'object' && parsed !== null && 'error' in parsed) {
    throw responseError({ ...target, status: 200, body: line, retryAfter: null });
  }
  return typeof parsed === 'object' && parsed !== null && 'done' in parsed && parsed.done === true;
}
