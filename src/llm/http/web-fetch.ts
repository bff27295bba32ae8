// The `fetch` for an SDK, over Node's own client: silent, without time limit, abortable.
import type { IncomingMessage } from 'node:http';
import { bytesOf, type Connections, createConnections, letGo } from './connections.ts';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface WebFetch {
  readonly fetch: Fetch;
  /** The same connections, with another time limit for connecting. */
  within(connectMs: number): Fetch;
  close(): void;
}

export interface FetchRequest {
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | null;
  readonly signal: AbortSignal | null | undefined;
  readonly connectMs: number | undefined;
}

/** `answer` decides what is sent, and what the SDK sees of the answer. */
export function createWebFetch(
  answer: (asked: FetchRequest, connections: Connections) => Promise<Response>,
): WebFetch {
  const connections = createConnections();
  const within =
    (connectMs?: number): Fetch =>
    async (input, { headers, body, signal } = {}) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const text = typeof body === 'string' ? body : null;
      const asked = { url, headers: new Headers(headers), body: text, signal, connectMs };
      return await answer(asked, connections);
    };
  return { fetch: within(), within, close: connections.close };
}

/**
 * `bytes` are derived from the answer's, and read no faster than the SDK reads. After the last of them, or when the SDK
 * stops reading and everything has arrived, the connection is kept for the next request.
 */
export function streamedBody(
  answer: IncomingMessage,
  bytes: AsyncIterator<Uint8Array> = bytesOf(answer),
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await nextOf(bytes, answer);
        if (!done) return controller.enqueue(value);
        letGo(answer);
        controller.close();
      },
      async cancel() {
        if (!answer.complete) return void answer.destroy();
        await bytes.return?.();
        answer.resume();
      },
    },
    { highWaterMark: 0 },
  );
}

/** A failure on the way ends the connection. */
async function nextOf(
  bytes: AsyncIterator<Uint8Array>,
  answer: IncomingMessage,
): Promise<IteratorResult<Uint8Array>> {
  try {
    return await bytes.next();
  } catch (error) {
    answer.destroy();
    throw error;
  }
}
