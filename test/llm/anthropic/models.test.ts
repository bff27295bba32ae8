import { describe, expect, it } from 'vitest';
import { CLAUDE, wireModel } from '../../support/fake-anthropic.ts';
import { anySignal, connect, rejected } from './support.ts';

describe('what is known of a model', () => {
  it('is what the server tells', async () => {
    const { provider } = await connect();
    expect(await provider.describe(CLAUDE, anySignal())).toEqual({
      model: CLAUDE,
      digest: CLAUDE,
      contextWindow: 1_000_000,
      capabilities: { tools: true, schema: true, thinking: true },
      isPublic: true,
    });
  });

  it('an alias is told from the model it stands for', async () => {
    const alias = 'claude-haiku-4-5';
    const { provider } = await connect({ models: [wireModel(`${alias}-20251001`, {}, { alias })] });
    expect(await provider.describe(alias, anySignal())).toMatchObject({
      model: alias,
      digest: `${alias}-20251001`,
    });
  });

  it.each([
    ['claude-sonnet-5-5', 1_000_000],
    ['anthropic/claude-opus-4-1', 200_000],
    ['qwen3-coder', null],
  ])('of %s is what a table says where the server does not tell', async (model, contextWindow) => {
    const { provider } = await connect({ models: null });
    expect(await provider.describe(model, anySignal())).toEqual({
      model,
      digest: null,
      contextWindow,
      capabilities: { tools: true, schema: true, thinking: false },
    });
  });

  it.each([
    ['claude-3-haiku-20240307', 4096],
    ['claude-3-5-haiku-20241022', 8192],
    ['claude-opus-4-1', 32_000],
    ['claude-opus-4-20250514', 32_000],
    ['claude-opus-4-1-20250805', 32_000],
    ['claude-opus-4-5', 64_000],
    ['another', 100_000],
  ])('the longest answer of %s', async (model, longest) => {
    const { ask, server } = await connect({ models: null });
    await ask({ model, maxOutputTokens: 100_000 });
    expect(server.body(0).max_tokens).toBe(longest);
  });

  it('the first Claude 4 and older answer a schema by a tool', async () => {
    for (const model of ['claude-3-5-haiku-20241022', 'claude-sonnet-4-20250514']) {
      const { ask, server } = await connect({ models: null });
      await ask({ model, responseSchema: { type: 'object', properties: {} } });
      expect(server.body(0).tool_choice).toMatchObject({ type: 'tool' });
    }
  });

  it('a model that does not exist is said so, with the way to one that does', async () => {
    const { provider } = await connect();
    expect(await rejected(provider.describe('claude-9', anySignal()))).toMatchObject({
      status: { kind: 'model_error', retryable: false },
      message: expect.stringContaining('no model claude-9'),
      command: ['models'],
    });
  });

  it('the list is as the server gives it, those on their way out last', async () => {
    const { provider } = await connect({
      models: [
        wireModel('claude-old', {}, { lifecycle: 'deprecated' }),
        wireModel('claude-gone', {}, { lifecycle: 'retired' }),
        wireModel('claude-b'),
        wireModel('claude-a'),
      ],
    });
    expect(await provider.list(anySignal())).toEqual(['claude-b', 'claude-a', 'claude-old']);
  });

  it('a list nobody can read is not the API’s', async () => {
    const { provider } = await connect({ models: [{ name: 'x' }] });
    expect(await rejected(provider.list(anySignal()))).toMatchObject({
      message: expect.stringContaining("does not speak Anthropic's language"),
    });
  });
});
