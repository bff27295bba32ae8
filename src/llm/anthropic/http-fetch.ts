// The `fetch` for the SDK: it adds the key, which no caller above knows.
import type { IncomingMessage } from 'node:http';
import { bytesOf, readRefusal } from '../http/connections.ts';
import { inWholeLines } from '../http/lines.ts';
import { createWebFetch, streamedBody, type WebFetch } from '../http/web-fetch.ts';
import { atMost, BOUNDS } from '../wire/bounds.ts';

/** The headers of the SDK that leave the machine: the others describe the machine. */
const SENT = ['accept', 'content-type', 'user-agent', 'anthropic-version'] as const;
const WITHOUT_BODY = new Set([204, 205, 304]);

/** `headers` are added to every request and override the SDK's. */
export const httpFetch = (headers: Readonly<Record<string, string>>): WebFetch =>
  createWebFetch(async (asked, connections) => {
    asked.signal?.throwIfAborted();
    const sdkHeaders = Object.fromEntries(SENT.flatMap((name) => sentHeader(asked.headers, name)));
    const answer = await connections.send({ ...asked, headers: { ...sdkHeaders, ...headers } });
    try {
      return responseOf(answer);
    } catch (error) {
      answer.destroy();
      throw error;
    }
  });

function sentHeader(headers: Headers, name: string): [string, string][] {
  const value = headers.get(name);
  return value === null ? [] : [[name, value]];
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
