/**
 * Owns the SDK client of one account, loaded with the first request.
 *
 * 1. The SDK never gets the key: the `fetch` below adds it to outgoing requests.
 * 2. The SDK neither retries, nor logs, nor traces, nor limits time.
 */
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import type { StreamLimits } from '../provider.ts';
import type { HttpFetch } from './http-fetch.ts';

export interface AnthropicClient {
  /** The events of a streamed answer, unchanged; resolves with the headers. */
  stream(
    body: MessageCreateParamsStreaming,
    signal: AbortSignal,
    limits?: StreamLimits,
  ): Promise<AsyncIterable<unknown>>;
  model(name: string, signal: AbortSignal, limits?: StreamLimits): Promise<unknown>;
  models(signal: AbortSignal): Promise<readonly unknown[]>;
}

/** The longest wait of a timer. The caller's deadlines end anything that takes too long. */
const NO_TIMEOUT = 2 ** 31 - 1;

export function createClient(baseUrl: string, { fetch, within }: HttpFetch): AnthropicClient {
  const open = async () => {
    const { Anthropic } = await import('@anthropic-ai/sdk');
    return new Anthropic({
      apiKey: 'added-later',
      baseURL: baseUrl,
      maxRetries: 0,
      timeout: NO_TIMEOUT,
      logLevel: 'off',
      openTelemetry: false,
      fetch,
    });
  };
  let opened: ReturnType<typeof open> | null = null;
  const sdk = async (limits?: StreamLimits): ReturnType<typeof open> => {
    opened ??= open();
    const client = await opened;
    return limits ? client.withOptions({ fetch: within(limits.connectMs) }) : client;
  };
  return {
    // `messages.create` would print a warning for models that will be retired.
    stream: async (body, signal, limits) =>
      await (await sdk(limits)).post<AsyncIterable<unknown>>('/v1/messages', {
        body,
        signal,
        stream: true,
      }),
    model: async (name, signal, limits) =>
      await (await sdk(limits)).models.retrieve(name, {}, { signal }),
    async models(signal) {
      const found: unknown[] = [];
      for await (const model of (await sdk()).models.list({ limit: 1000 }, { signal }))
        found.push(model);
      return found;
    },
  };
}
