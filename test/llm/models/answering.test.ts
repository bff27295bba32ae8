/** A server that takes a question about its models and never answers ends nobody's patience but its own. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { callersProvider } from '../../../src/host/library/callers-provider.ts';
import { anthropicProvider } from '../../../src/llm/anthropic/anthropic-provider.ts';
import { ANSWER_MS } from '../../../src/llm/models/answering.ts';
import { ollamaProvider } from '../../../src/llm/ollama/ollama-provider.ts';
import { openAiProvider } from '../../../src/llm/openai/openai-provider.ts';
import type { Provider } from '../../../src/llm/provider.ts';

const { signal } = new AbortController();

afterEach(() => void vi.useRealTimers());

/** Takes every request and answers none. */
async function silentServer() {
  const server = createServer(() => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const asked = once(server, 'request');
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const MADE: readonly (readonly [string, (url: string) => Provider])[] = [
  ['ollama', (host) => ollamaProvider({ host })],
  ['openai', (url) => openAiProvider({ baseUrl: `${url}/v1` })],
  ['anthropic', (baseUrl) => anthropicProvider({ apiKey: 'k', baseUrl })],
];

const QUESTIONS: readonly (readonly [string, (provider: Provider) => Promise<unknown>])[] = [
  ['describe a model', (provider) => provider.describe('m', signal)],
  ['list its models', (provider) => provider.list(signal)],
];

test.each(
  MADE.flatMap(([name, make]) =>
    QUESTIONS.map(([what, ask]) => [name, what, (url: string) => ask(make(url))] as const),
  ),
)('%s does not wait for ever to %s', async (_, _what, ask) => {
  const { asked, url } = await silentServer();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answer = ask(url).then(String, (error: unknown) => error);
  await asked;
  vi.advanceTimersByTime(ANSWER_MS);
  expect(await answer).toMatchObject({ name: 'ProviderError', status: { kind: 'timeout' } });
});

test.each(['describe', 'list', 'infos', 'loadedWindow'] as const)(
  'a provider of the program that never answers %s is left, also where it heeds no signal',
  async (what) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const never = () => new Promise<never>(() => {});
    const own = { name: 'own', describe: never, list: never, infos: never, loadedWindow: never };
    const provider = callersProvider(own as unknown as Provider);
    const asked = { ...provider }[what] as (model: unknown, signal: unknown) => Promise<unknown>;
    const answer = asked(what === 'list' || what === 'infos' ? signal : 'm', signal).catch(String);
    vi.advanceTimersByTime(ANSWER_MS);
    expect(await answer).toBe(
      'ProviderError: The provider own was asked about its models and has not answered for 60 s.',
    );
  },
);
