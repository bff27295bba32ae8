// A provider connected to a fake of the API, closed after each test.
import { afterEach } from 'vitest';
import {
  type AnthropicOptions,
  anthropicProvider,
} from '../../../src/llm/anthropic/anthropic-provider.ts';
import type { Provider } from '../../../src/llm/provider.ts';
import type { ModelRequest } from '../../../src/schema/model/turn.ts';
import {
  type AnthropicReply,
  CLAUDE,
  type FakeAnthropic,
  type FakeAnthropicOptions,
  startFakeAnthropic,
} from '../../support/fake-anthropic.ts';
import { turn } from '../support.ts';

export const KEY = 'sk-ant-api03-not-a-real-key';

// Loaded before any test's time runs: it is large, and lazy in the provider.
await import('@anthropic-ai/sdk');

const toClose: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of toClose.splice(0).reverse()) await one.close();
});

export interface Connected {
  readonly server: FakeAnthropic;
  readonly provider: Provider;
  ask(changes?: Partial<ModelRequest>): ReturnType<typeof turn>;
}

export async function connect(
  fake: FakeAnthropicOptions = {},
  options: Partial<AnthropicOptions> = {},
): Promise<Connected> {
  const server = await startFakeAnthropic({ apiKey: KEY, ...fake });
  const provider = anthropicProvider({ apiKey: KEY, baseUrl: server.url, ...options });
  toClose.push(server, provider);
  return {
    server,
    provider,
    ask: (changes = {}) => turn(provider, { model: CLAUDE, ...changes }),
  };
}

export const answering = (
  reply: AnthropicReply,
  fake: FakeAnthropicOptions = {},
  options: Partial<AnthropicOptions> = {},
): Promise<Connected> => connect({ ...fake, script: () => reply }, options);

/** What a promise was rejected with. */
export const rejected = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

export const anySignal = (): AbortSignal => new AbortController().signal;
