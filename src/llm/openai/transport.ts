// The `fetch` that the SDK is handed, with what servers send instead of an event stream made into one.
import type { IncomingMessage } from 'node:http';
import { bytesOf, headersOf, readText } from '../http/connections.ts';
import { bodyOf, type WebFetch, webFetch } from '../http/web-fetch.ts';
import type { FailedResponse } from './error-body.ts';
import { sseBytes } from './sse-body.ts';

/** What a request ended in instead of an answer. The SDK replaces other errors by its own. */
export class Carried extends Error {
  override readonly name = 'Carried';

  /** `failure`: a `FailedResponse` in `response`, or what Node threw in `cause`. */
  constructor(readonly failure: { readonly response?: FailedResponse; readonly thrown?: unknown }) {
    super('The request failed.');
  }
}

/**
 * Only `headers` leave the machine, beside what HTTP needs: the SDK would add facts about the machine
 * and what stands in OPENAI_CUSTOM_HEADERS. A POST is answered by a stream of server-sent events, a
 * GET by its whole body. Rejects with `Carried` alone.
 */
export const createTransport = (headers: Readonly<Record<string, string>>): WebFetch =>
  webFetch(async ({ url, body, signal, connectMs }, connections) => {
    const own = body === null ? QUESTION : CHAT;
    try {
      const call = { url, headers: { ...own, ...headers }, body, signal, connectMs };
      return await answer(await connections.send(call), body !== null);
    } catch (error) {
      throw error instanceof Carried ? error : new Carried({ thrown: error });
    }
  });

const QUESTION = { accept: 'application/json' };
const CHAT = {
  accept: 'text/event-stream, application/json',
  'content-type': 'application/json',
};

async function answer(incoming: IncomingMessage, isStream: boolean): Promise<Response> {
  const { statusCode: status = 0, headers } = incoming;
  const type = headers['content-type'] ?? '';
  const isPage = /html/i.test(type);
  if (status < 200 || status >= 300 || isPage) {
    throw new Carried({
      response: { status, body: await readText(incoming), header: headersOf(incoming) },
    });
  }
  const kept = { 'content-type': 'application/json' };
  if (!isStream) return new Response(await readText(incoming), { headers: kept });
  if (!/\bjson\b/i.test(type))
    return new Response(bodyOf(incoming, sseBytes(bytesOf(incoming))), { headers: kept });
  // Asked for a stream, it sent the whole answer, or an error with a success as its status.
  const text = await readText(incoming);
  return new Response(`data: ${oneLine(text)}\n\ndata: [DONE]\n\n`, { headers: kept });
}

const oneLine = (json: string): string => json.trim().replace(/[\r\n]+/g, ' ');
