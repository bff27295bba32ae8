import { afterEach, describe, expect, it } from 'vitest';
import { chooseContextWindow, chooseModel } from '../../../src/llm/models/choose-model.ts';
import { ollamaProvider } from '../../../src/llm/ollama/ollama-provider.ts';
import { type ModelInfo, ProviderError } from '../../../src/llm/provider.ts';
import { type FakeModel, type FakeOllama, startFakeOllama } from '../../support/fake-ollama.ts';

let server: FakeOllama | undefined;
afterEach(() => server?.close());

async function choose(models: readonly FakeModel[], requested?: string) {
  server = await startFakeOllama({ models });
  const provider = ollamaProvider({ host: server.url });
  try {
    const { signal } = new AbortController();
    const firstModel = { hint: 'Get one: agent setup ollama' };
    return await chooseModel({ provider, requested, signal, firstModel });
  } finally {
    await provider.close();
  }
}

const NO_TOOLS = ['completion'];

describe('the model of a run', () => {
  it('is the default where it is installed', async () => {
    const { model } = await choose([{ name: 'gpt-oss:20b' }, { name: 'big:70b' }]);
    expect(model).toBe('gpt-oss:20b');
  });

  it('is the one that was asked for', async () => {
    const { model } = await choose([{ name: 'gpt-oss:20b' }, { name: 'tiny' }], 'tiny');
    expect(model).toBe('tiny');
  });

  it('is the largest that can call tools where the default is missing', async () => {
    const { model } = await choose([
      { name: 'small:1b', parameterSize: '1.5B' },
      { name: 'middle:7b', parameterSize: '7.6B' },
      { name: 'huge:70b', parameterSize: '70.6B', capabilities: NO_TOOLS },
    ]);
    expect(model).toBe('middle:7b');
  });

  it('is one without tools rather than none', async () => {
    const { model } = await choose([{ name: 'mute:1b', capabilities: NO_TOOLS }]);
    expect(model).toBe('mute:1b');
  });

  it('cannot be chosen where none is installed: says what to do', async () => {
    await expect(choose([])).rejects.toMatchObject({
      message: 'No model is installed.',
      hint: 'Get one: agent setup ollama',
    });
  });

  it('that is asked for and missing is named with those that are there', async () => {
    await expect(choose([{ name: 'tiny' }, { name: 'other' }], 'qwen9')).rejects.toMatchObject({
      message: expect.stringContaining('no model qwen9'),
      hint: expect.stringMatching(/Installed: other, tiny.*ollama pull qwen9/),
    });
  });

  it('that a hosted API does not have is named with those that are available there', async () => {
    const status = { kind: 'model_error', retryable: false } as const;
    const provider = {
      describe: () => Promise.reject(new ProviderError(status, 'There is no such model.', '')),
      list: async () => ['gpt-5', 'gpt-5-mini'],
    };
    const { signal } = new AbortController();
    await expect(
      chooseModel({ provider, requested: 'gpt-9', signal, isHosted: true }),
    ).rejects.toMatchObject({ hint: expect.stringContaining('Available: gpt-5, gpt-5-mini.') });
  });
});

describe('the context window of a run', () => {
  const info = (contextWindow: number | null): ModelInfo => ({
    model: 'm',
    digest: null,
    contextWindow,
    capabilities: { tools: true, schema: true, thinking: false },
  });

  it.each([
    [8192, undefined, 8192],
    [131_072, undefined, 16_384],
    [null, undefined, 8192],
    [131_072, 65_536, 65_536],
    [8192, 65_536, 8192],
    [null, 4096, 4096],
  ])('a model trained for %s, asked for %s: %i', (trained, requested, tokens) => {
    expect(chooseContextWindow(info(trained), requested).tokens).toBe(tokens);
  });
});
