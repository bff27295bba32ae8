// The `fetch` for the SDK, over Node's own client: silent, without time limit, abortable. It adds the key, which no
// caller above knows.
import type { IncomingMessage } from 'node:http';
import { bytesOf, createConnections, letGo, readRefusal } from '../http/connections.ts';
import { inWholeLines } from '../http/lines.ts';
import { atMost, BOUNDS } from '../wire/bounds.ts';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface HttpFetch {
  readonly fetch: Fetch;
  /** The same connections, with another time limit for connecting. */
  within(connectMs: number): Fetch;
  close(): void;
}

/** The headers of the SDK that leave the machine: the others describe the machine. */
const SENT = ['accept', 'content-type', 'user-agent', 'anthropic-version'] as const;
const WITHOUT_BODY = new Set([204, 205, 304]);

/** `added` headers are sent with every request and override the SDK's. */
export function httpFetch(added: Readonly<Record<string, string>>): HttpFetch {
  const connections = createConnections();
  const within =
    (connectMs?: number): Fetch =>
    async (input, { headers, body, signal } = {}) => {
      signal?.throwIfAborted();
      const given = new Headers(headers);
      const sent = SENT.map((name) => [name, given.get(name)]).filter(
        ([, value]) => value !== null,
      );
      const answer = await connections.send({
        url: new URL(input instanceof Request ? input.url : input),
        headers: { ...Object.fromEntries(sent), ...added },
        body: typeof body === 'string' ? body : null,
        signal,
        connectMs,
      });
      try {
        return responseOf(answer);
      } catch (error) {
        answer.destroy();
        throw error;
      }
    };
  return { fetch: within(), within, close: connections.close };
}

/** Throws for a status that HTTP does not define. */
function responseOf(answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  if (WITHOUT_BODY.has(status)) answer.resume();
  return new Response(WITHOUT_BODY.has(status) ? null : streamedBody(answer, bytesIn(answer)), {
    status,
    headers,
  });
}

/** A stream, which the SDK reads once, in pieces; any other body whole, up to its bound. */
function bytesIn(answer: IncomingMessage): AsyncIterator<Uint8Array> {
  if ((answer.statusCode ?? 0) >= 300) return beginningOf(answer);
  const isStream = /event-stream/i.test(answer.headers['content-type'] ?? '');
  const bytes = bytesOf(answer);
  return isStream ? inWholeLines(bytes) : atMost(bytes, BOUNDS.body);
}

async function* beginningOf(answer: IncomingMessage): AsyncGenerator<Uint8Array> {
  yield Buffer.from(await readRefusal(answer));
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
