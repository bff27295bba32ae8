/**
 * The connection to a server over HTTP: the SDK's transport, with limits.
 * 1. Headers go only to the origin of the address: the SDK follows no redirect away from it.
 * 2. Everything that a server sends has a limit, including each event, whatever it announces.
 * 3. A stream that a server closes repeatedly is not reopened endlessly.
 * 4. An answer that breaks off before it contained anything is reported at once; the SDK would wait for it.
 */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { isRecord } from '../../lib/json-value.ts';
import type { WebServer } from '../../schema/servers.ts';

const MAX_REOPENED = 20;
const MIN_PAUSE_MS = 1000;
const LEAVE_MS = 1000;
/** Milliseconds within which an ended answer is read or continued. */
const READ_MS = 200;

export interface HttpTransport {
  readonly transport: StreamableHTTPClientTransport;
  /**
   * Calls the listener when the answer to a call has ended and is not continued. Returns a function that stops
   * it.
   */
  whenEnded(listener: () => void): () => void;
  /** Ends the session at the server, if the server accepts that in time. Never throws. */
  leave(): Promise<void>;
}

export function webWay({ url, headers = {} }: WebServer): HttpTransport {
  let reopened = 0;
  let listener: (() => void) | null = null;
  const onEnd = (): void => {
    const [waiting, before] = [listener, reopened];
    setTimeout(() => {
      // The end of this call does not concern the next one.
      if (reopened === before && listener === waiting) waiting?.();
    }, READ_MS).unref();
  };
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: (to, init) => asked(to, init, onEnd),
    reconnectionScheduler: (reopen, delayMs) => {
      reopened += 1;
      if (reopened > MAX_REOPENED) return undefined;
      const timer = setTimeout(reopen, Math.max(delayMs, MIN_PAUSE_MS)).unref();
      return () => clearTimeout(timer);
    },
  });
  return {
    transport,
    whenEnded: (callback) => {
      listener = callback;
      return () => {
        listener = null;
      };
    },
    leave: () => leave(transport),
  };
}

async function leave(transport: StreamableHTTPClientTransport): Promise<void> {
  if (transport.sessionId === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LEAVE_MS);
  });
  // A server that does not close sessions, or is gone, need not be told.
  await Promise.race([transport.terminateSession().catch(() => {}), late]);
  clearTimeout(timer);
}

/** Statuses of responses that may have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

async function asked(
  url: string | URL,
  init: RequestInit | undefined,
  onEnd: () => void,
): Promise<Response> {
  const answer = await fetch(url, init);
  const { body, status, statusText, headers } = answer;
  if (body === null || WITHOUT_BODY.has(status)) return answer;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  const callback = answer.ok && isCall(init?.body) ? onEnd : () => {};
  return new Response(watchedBody(body, isStream, callback), { status, statusText, headers });
}

/** Replies to a server's own requests get no reply. */
function isCall(body: unknown): boolean {
  if (typeof body !== 'string') return false;
  const message: unknown = JSON.parse(body);
  return isRecord(message) && 'id' in message && 'method' in message;
}

/** Bytes of one answer, or of one event of a stream. */
const MAX_AT_ONCE = 16 * 1024 * 1024;
/** Bytes of a stream that stays open beside the calls. */
const MAX_IN_ALL = 128 * 1024 * 1024;

const LINE_END = 10;

/**
 * The body of a response, with limits and a notification of its end.
 *
 * @param onEnd called once, however it ends; not if the reader no longer wants it
 */
function watchedBody(
  body: ReadableStream<Uint8Array>,
  isStream: boolean,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const most = isStream ? MAX_IN_ALL : MAX_AT_ONCE;
  let all = 0;
  let inLine = 0;
  const isTooLong = (chunk: Uint8Array): boolean => {
    const end = chunk.lastIndexOf(LINE_END);
    all += chunk.length;
    inLine = end < 0 ? inLine + chunk.length : chunk.length - end;
    return all > most || inLine > MAX_AT_ONCE;
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done && isTooLong(value)) throw new Error('it sends more than any answer has');
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        void reader.cancel(error).catch(() => {});
        controller.error(error);
      }
      onEnd();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
