import { describe, expect, it } from 'vitest';
import type { ModelInfo } from '../../../src/llm/provider.ts';
import { emptyBody, fastApiError, openAiError } from '../../support/fake-openai-bodies.ts';
import { connect, KEY } from './support.ts';

const list = (...data: readonly Record<string, unknown>[]) => ({ object: 'list', data });
const signal = new AbortController().signal;

const LLAMA_CPP = {
  models: [{ name: 'm.gguf', capabilities: ['completion'] }],
  ...list({
    id: 'm.gguf',
    object: 'model',
    created: 1_795_000_000,
    owned_by: 'llamacpp',
    meta: { vocab_type: 2, n_vocab: 151936, n_ctx_train: 32768, n_embd: 1536 },
  }),
};

const OPENROUTER = list(
  {
    id: 'vendor/good',
    context_length: 200_000,
    architecture: { output_modalities: ['text'] },
    supported_parameters: ['tools', 'structured_outputs', 'reasoning'],
  },
  {
    id: 'vendor/plain',
    context_length: 8192,
    architecture: { output_modalities: ['text'] },
    supported_parameters: ['temperature'],
  },
  { id: 'vendor/painter', architecture: { output_modalities: ['image'] } },
);

const LM_STUDIO = list(
  { id: 'text-embedding-nomic', type: 'embeddings', state: 'not-loaded', max_context_length: 2048 },
  { id: 'big', type: 'llm', state: 'not-loaded', max_context_length: 131_072, capabilities: [] },
  {
    id: 'qwen',
    type: 'llm',
    state: 'loaded',
    max_context_length: 32_768,
    loaded_context_length: 4096,
    capabilities: ['tool_use'],
  },
);

type Row = readonly [
  name: string,
  pages: Record<string, unknown>,
  model: string,
  info: Partial<ModelInfo>,
];

const able = (tools: boolean, thinking: boolean) => ({ tools, schema: true, thinking });

const ROWS: readonly Row[] = [
  [
    'OpenAI tells no window',
    { '/v1/models': list({ id: 'gpt-4o', created: 1, owned_by: 'system' }) },
    'gpt-4o',
    { contextWindow: null, digest: null, capabilities: able(true, false) },
  ],
  [
    'OpenRouter',
    { '/v1/models': OPENROUTER },
    'vendor/good',
    { contextWindow: 200_000, capabilities: able(true, true) },
  ],
  [
    'OpenRouter, a way to be served',
    { '/v1/models': OPENROUTER },
    'vendor/good:free',
    { model: 'vendor/good:free', contextWindow: 200_000 },
  ],
  [
    'OpenRouter, without tools',
    { '/v1/models': OPENROUTER },
    'vendor/plain',
    { contextWindow: 8192, capabilities: able(false, false) },
  ],
  [
    'vLLM',
    { '/v1/models': list({ id: 'm', owned_by: 'vllm', max_model_len: 16_384 }) },
    'm',
    { contextWindow: 16_384 },
  ],
  [
    'llama.cpp, what the model was trained for',
    { '/v1/models': LLAMA_CPP },
    'm.gguf',
    { contextWindow: 32_768, capabilities: able(true, false) },
  ],
  [
    'llama.cpp, what the server was started with, under any name',
    { '/v1/models': LLAMA_CPP, '/props': { default_generation_settings: { n_ctx: 8192 } } },
    'whatever',
    { model: 'whatever', contextWindow: 8192 },
  ],
  [
    'LM Studio, loaded',
    { '/api/v0/models': LM_STUDIO, '/v1/models': list({ id: 'qwen' }) },
    'qwen',
    { contextWindow: 4096, capabilities: able(true, false) },
  ],
  [
    'LM Studio, not loaded and without tools',
    { '/api/v0/models': LM_STUDIO },
    'big',
    { contextWindow: 131_072, capabilities: able(false, false) },
  ],
  [
    'Mistral',
    {
      '/v1/models': list({
        id: 'codestral',
        max_context_length: 256_000,
        capabilities: { function_calling: true },
      }),
    },
    'codestral',
    { contextWindow: 256_000, capabilities: able(true, false) },
  ],
  ['Groq', { '/v1/models': list({ id: 'm', context_window: 9 }) }, 'm', { contextWindow: 9 }],
  ['Together', { '/v1/models': [{ id: 'm', context_length: 9 }] }, 'm', { contextWindow: 9 }],
  ['a gateway without a list', {}, 'm', { model: 'm', contextWindow: null }],
  [
    'a model that is not listed, where nobody says no',
    { '/v1/models': list({ id: 'other' }), '/v1/models/m': fastApiError(404, 'Not Found') },
    'm',
    { contextWindow: null },
  ],
];

describe('what is known of a model', () => {
  it.each(ROWS)('%s', async (_, pages, model, info) => {
    const { provider } = await connect({ pages });
    expect(await provider.describe(model, signal)).toMatchObject(info);
  });

  it('a model that the server says it has not is an error', async () => {
    const { provider } = await connect({
      pages: {
        '/v1/models': list({ id: 'other' }),
        '/v1/models/m': openAiError(404, "The model 'm' does not exist", 'model_not_found'),
      },
    });
    await expect(provider.describe('m', signal)).rejects.toMatchObject({
      status: { kind: 'model_error', retryable: false },
      message: expect.stringContaining('has no model m'),
    });
  });

  it.each([
    ['a wrong key', openAiError(401, 'no'), 'auth_failed'],
    ['a server that is down', emptyBody(502), 'network_error'],
    ['something else that answers', { hello: 'world' }, 'model_error'],
  ])('%s is an error', async (_, page, kind) => {
    const { provider } = await connect({ pages: { '/v1/models': page } });
    await expect(provider.describe('m', signal)).rejects.toMatchObject({ status: { kind } });
    await expect(provider.list(signal)).rejects.toMatchObject({ status: { kind } });
  });

  it('an aborted look is aborted', async () => {
    const { provider } = await connect();
    await expect(provider.describe('m', AbortSignal.abort())).rejects.toMatchObject({
      status: { kind: 'aborted' },
    });
  });
});

describe('the list of models', () => {
  it('names those that can talk, the newest first', async () => {
    const { provider } = await connect({
      pages: {
        '/v1/models': list(
          { id: 'gpt-4o', created: 1 },
          { id: 'text-embedding-3-small', created: 5 },
          { id: 'whisper-1', created: 6 },
          { id: 'gpt-5', created: 2 },
        ),
      },
    });
    expect(await provider.list(signal)).toEqual(['gpt-5', 'gpt-4o']);
  });

  it('begins with what LM Studio has loaded', async () => {
    const { provider } = await connect({ pages: { '/api/v0/models': LM_STUDIO } });
    expect(await provider.list(signal)).toEqual(['qwen', 'big']);
  });

  it('is empty where the server keeps none', async () => {
    const { provider } = await connect();
    expect(await provider.list(signal)).toEqual([]);
  });
});

describe('a price that the server tells', () => {
  const priced = (pricing: unknown, id = 'vendor/good') => list({ id, pricing });
  const asked = async (page: unknown, model = 'vendor/good') => {
    const { provider } = await connect({ pages: { '/v1/models': page } });
    return (await provider.describe(model, signal)).price;
  };

  it('is dollars a token as text, and becomes dollars a million', async () => {
    const pricing = {
      ...{ prompt: '0.0000006', completion: '0.0000022', request: '0', image: '0' },
      ...{ input_cache_read: '0.00000011', web_search: '0.005' },
    };
    expect(await asked(priced(pricing))).toEqual({
      ...{ input: 0.6, output: 2.2, cacheRead: 0.11, cacheWrite: 0.6 },
    });
  });

  it('of nothing is nothing, and no unknown price', async () => {
    expect(await asked(priced({ prompt: '0', completion: '0' }))).toEqual({
      ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    });
  });

  it.each([
    ['is left out', undefined],
    ['depends on what is chosen', { prompt: '-1', completion: '-1' }],
    ['is half of one', { prompt: '0.1' }],
    ['is no number', { prompt: 'free', completion: '' }],
    ['is asked for every request, too', { prompt: '0.1', completion: '0.1', request: '0.01' }],
    ["is in another server's form", { hourly: 0, input: 0.2, output: 0.2 }],
    ['is no object', 'much'],
  ])('that %s is not known', async (_, pricing) => {
    expect(await asked(priced(pricing))).toBe(null);
  });

  it('is not that of another way to be served', async () => {
    const page = priced({ prompt: '1', completion: '1' });
    expect(await asked(page, 'vendor/good:nitro')).toBe(null);
  });
});

describe('all models with what is known of them', () => {
  it('come from one list where it is long', async () => {
    const rows = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, context_length: 9 }));
    const { provider, server } = await connect({ pages: { '/v1/models': list(...rows) } });
    const infos = await provider.infos?.(signal);
    expect(infos?.map(({ model, contextWindow }) => [model, contextWindow])).toEqual(
      rows.map(({ id }) => [id, 9]),
    );
    expect(server.requests.filter((one) => one === 'GET /v1/models')).toHaveLength(1);
  });

  it('are asked about where there are few: the server may hold them in another window', async () => {
    const props = { default_generation_settings: { n_ctx: 8192 } };
    const { provider } = await connect({ pages: { '/v1/models': LLAMA_CPP, '/props': props } });
    expect(await provider.infos?.(signal)).toMatchObject([
      { model: 'm.gguf', contextWindow: 8192 },
    ]);
  });

  it('fail with the same errors, without the key', async () => {
    const page = openAiError(401, `Incorrect API key provided: ${KEY}.`, 'invalid_api_key');
    const { provider } = await connect({ pages: { '/v1/models': page } });
    const failed = await provider.infos?.(signal).catch((error: unknown) => error);
    expect(failed).toMatchObject({ status: { kind: 'auth_failed' } });
    expect(String(failed)).not.toContain(KEY);
  });
});
