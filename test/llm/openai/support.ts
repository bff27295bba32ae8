// What the tests of the OpenAI provider share.
import { afterEach } from 'vitest';
import { type OpenAiOptions, openAiProvider } from '../../../src/llm/openai/openai-provider.ts';
import type { Provider } from '../../../src/llm/provider.ts';
import {
  type FakeOpenAi,
  type FakeOpenAiOptions,
  type OpenAiReply,
  startFakeOpenAi,
} from '../../support/fake-openai.ts';

export const KEY = 'sk-test-0123456789abcdef';

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

export async function connect(
  options: FakeOpenAiOptions = {},
  settings: Partial<OpenAiOptions> = {},
): Promise<{ server: FakeOpenAi; provider: Provider }> {
  const server = await startFakeOpenAi(options);
  const provider = openAiProvider({ apiKey: KEY, baseUrl: server.url, ...settings });
  open.push(server, provider);
  return { server, provider };
}

export const answering = (reply: OpenAiReply, settings: Partial<OpenAiOptions> = {}) =>
  connect({ script: () => reply }, settings);

/** Replies one after the other; the last one repeats. */
export const answeringInTurn = (
  replies: readonly OpenAiReply[],
  settings: Partial<OpenAiOptions> = {},
) => connect({ script: (_, n) => replies[n - 1] ?? replies.at(-1) ?? { stream: '' } }, settings);
