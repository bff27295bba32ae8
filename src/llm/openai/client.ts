/**
 * The SDK around one base URL, loaded with the first request; a run on another backend never pays
 * for it.
 *
 * Owns the connections. The key never enters the SDK: the transport alone writes headers. What the
 * SDK would read from the environment is given, its retries, time limit and log are off. It listens
 * to each signal for ever, so it gets one that lives as long as the request.
 */
import type { OpenAI } from 'openai';
import type { StreamLimits } from '../provider.ts';
import type { Base } from './base-url.ts';
import type { ChatBody } from './chat-body.ts';
import { createTransport } from './transport.ts';

export interface Client {
  /** The chunks of a streamed answer. Loses nothing but what is no JSON, which it throws. */
  stream(body: ChatBody, signal: AbortSignal, limits?: StreamLimits): AsyncGenerator<unknown>;
  /** The answer to a small question, at a path below the base URL or at a whole URL. */
  get(pathOrUrl: string, signal: AbortSignal): Promise<unknown>;
  close(): void;
}

/** The longest time a timer can be set to: 24 days. The caller's deadlines end what takes too long. */
const NEVER_MS = 2 ** 31 - 1;

export function createClient(base: Base, headers: Readonly<Record<string, string>>): Client {
  const transport = createTransport(headers);
  let loaded: Promise<OpenAI> | null = null;
  const sdk = async (limits?: StreamLimits): Promise<OpenAI> => {
    loaded ??= load(base, transport.fetch);
    const client = await loaded;
    return limits ? client.withOptions({ fetch: transport.within(limits.connectMs) }) : client;
  };
  return {
    async *stream(body, signal, limits) {
      const scoped = scopedSignal(signal);
      try {
        const options = { body, signal: scoped.signal, stream: true };
        const client = await sdk(limits);
        yield* await client.post<AsyncIterable<unknown>>('/chat/completions', options);
      } finally {
        scoped.release();
      }
    },
    async get(pathOrUrl, signal) {
      const scoped = scopedSignal(signal);
      try {
        return await (await sdk()).get<unknown>(pathOrUrl, { signal: scoped.signal });
      } finally {
        scoped.release();
      }
    },
    close() {
      transport.close();
      loaded = null;
    },
  };
}

async function load(
  base: Base,
  fetch: ReturnType<typeof createTransport>['fetch'],
): Promise<OpenAI> {
  const { OpenAI } = await import('openai');
  return new OpenAI({
    baseURL: base.url,
    defaultQuery: { ...base.query },
    fetch,
    apiKey: 'written by the transport',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: 'off',
  });
}

function scopedSignal(signal: AbortSignal): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    release: () => signal.removeEventListener('abort', abort),
  };
}
