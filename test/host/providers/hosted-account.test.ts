import { expect, test } from 'vitest';
import { chooseDriver } from '../../../src/drivers/choose-driver.ts';
import { hubEndpoint } from '../../../src/host/providers/embedded-model.ts';
import { furtherKeys, hostedAccount } from '../../../src/host/providers/hosted-account.ts';
import { completed } from '../../../src/host/providers/open-hosted.ts';
import { PROVIDERS } from '../../../src/host/providers/providers.ts';
import { chooseContextWindow } from '../../../src/llm/models/choose-model.ts';

const place = (env: { [name: string]: string }, platform: NodeJS.Platform = 'linux') => ({
  env,
  platform,
});

test('key and address come from the environment, and the journal gets only their name', () => {
  const env = { ANTHROPIC_API_KEY: ' sk-1 ', ANTHROPIC_BASE_URL: 'http://gateway:1' };
  expect(hostedAccount(PROVIDERS.anthropic, null, place(env))).toEqual({
    apiKey: 'sk-1',
    profile: 'ANTHROPIC_API_KEY',
    baseUrl: 'http://gateway:1',
  });
  expect(
    hostedAccount(PROVIDERS.openrouter, null, place({ OPENROUTER_API_KEY: 'k' })),
  ).toMatchObject({
    baseUrl: 'https://openrouter.ai/api/v1',
  });
});

test('a given address outweighs the environment, and a server of one’s own needs no key', () => {
  const env = { OPENAI_BASE_URL: 'http://other:1/v1' };
  const account = hostedAccount(PROVIDERS.openai, 'http://mine:1/v1', place(env));
  expect(account).toMatchObject({ apiKey: '', profile: 'default', baseUrl: 'http://mine:1/v1' });
  expect(hostedAccount(PROVIDERS.openai, null, place(env)).baseUrl).toBe('http://other:1/v1');
});

test.each([
  ['anthropic', 'ANTHROPIC_API_KEY'],
  ['openai', 'OPENAI_API_KEY'],
  ['openrouter', 'OPENROUTER_API_KEY'],
] as const)('without a key for %s the error names %s', (name, variable) => {
  const unset = () => hostedAccount(PROVIDERS[name], null, place({ [variable]: ' ' }));
  expect(unset).toThrow(expect.objectContaining({ code: 'E_USAGE' }));
  expect(unset).toThrow(`${variable} is not set.`);
});

test('how a key is set is said in the words of the platform', () => {
  const hintOf = (platform: NodeJS.Platform): string => {
    try {
      hostedAccount(PROVIDERS.anthropic, null, place({}, platform));
    } catch (error) {
      return (error as { hint: string }).hint;
    }
    return '';
  };
  expect(hintOf('linux')).toBe('Set it: export ANTHROPIC_API_KEY=KEY');
  expect(hintOf('win32')).toBe(
    'Set it: set ANTHROPIC_API_KEY=KEY (cmd), or $env:ANTHROPIC_API_KEY = "KEY" (PowerShell)',
  );
});

test('an address is shown without the password in it', async () => {
  const baseUrl = 'http://me:secret@host:1/v1';
  for (const name of ['anthropic', 'openai'] as const) {
    const shown = await PROVIDERS[name].address({ apiKey: 'k', profile: 'k', baseUrl });
    expect(shown).toContain('host:1');
    expect(shown).not.toContain('secret');
  }
});

const info = (model: string, contextWindow: number | null) => ({
  model,
  digest: null,
  contextWindow,
  capabilities: { tools: true, schema: true, thinking: false },
});

test('the table fills in what an API does not tell, and the window of a known name behind a gateway', () => {
  const openai = { baseUrl: undefined };
  const own = { baseUrl: 'http://mine:1/v1' };
  expect(completed(info('gpt-5', null), PROVIDERS.openai, openai).contextWindow).toBe(400_000);
  expect(completed(info('gpt-5', 8192), PROVIDERS.openai, openai).contextWindow).toBe(8192);
  const behind = (model: string, window: number | null = null) =>
    completed(info(model, window), PROVIDERS.openai, own);
  const known = { contextWindow: 400_000, isKnownByName: true, price: null };
  expect(behind('gpt-5')).toMatchObject(known);
  expect(behind('azure/gpt-5-2025-08-07')).toMatchObject(known);
  expect(behind('anthropic/claude-opus-4.8').contextWindow).toBe(1_000_000);
  expect(behind('gpt-5', 8192)).toMatchObject({ contextWindow: 8192 });
  expect(behind('gpt-5', 8192).isKnownByName).toBeUndefined();
  expect(behind('gpt-5', 272_000)).toMatchObject({ contextWindow: 272_000, isKnownByName: true });
  expect(behind('gpt-9-unheard-of').contextWindow).toBeNull();
});

test('a model that its own API knows keeps its driver and its room behind a gateway', () => {
  const gateway = { baseUrl: 'http://127.0.0.1:4000' };
  const claude = completed(info('claude-sonnet-4-5', 200_000), PROVIDERS.anthropic, gateway);
  expect(claude).toMatchObject({ contextWindow: 200_000, isKnownByName: true });
  expect(chooseDriver({ info: claude, lesson: null }).name).toBe('free');
  const routed = completed(
    info('anthropic/claude-opus-4.8', 1_000_000),
    PROVIDERS.openrouter,
    gateway,
  );
  expect(chooseDriver({ info: routed, lesson: null }).name).toBe('free');
  const other = completed(info('qwen2.5-coder:1.5b', 32_768), PROVIDERS.anthropic, gateway);
  expect(chooseDriver({ info: other, lesson: null }).name).toBe('guided');
});

test('a hosted model gets a larger window than memory here would allow', () => {
  const openai = { baseUrl: undefined };
  expect(chooseContextWindow(completed(info('gpt-5', null), PROVIDERS.openai, openai)).tokens).toBe(
    131_072,
  );
  expect(
    chooseContextWindow(completed(info('small', 32_768), PROVIDERS.openai, openai)).tokens,
  ).toBe(32_768);
  expect(chooseContextWindow(info('local', 400_000)).tokens).toBe(16_384);
});

test('HF_ENDPOINT is an address or refused', () => {
  expect(hubEndpoint({})).toBe('https://huggingface.co');
  expect(hubEndpoint({ HF_ENDPOINT: 'https://hub.example/' })).toBe('https://hub.example');
  expect(() => hubEndpoint({ HF_ENDPOINT: 'hub.example' })).toThrow('HF_ENDPOINT');
});

test('the environment goes before the settings, and further keys follow in their order', () => {
  const accounts = {
    providers: {
      openai: { apiKey: 'sk-file', baseUrl: 'http://file:1/v1', headers: { 'X-Team': 'a' } },
    },
    profiles: [
      { id: 'other', provider: 'anthropic', apiKey: 'sk-other' },
      { id: 'second', provider: 'openai', apiKey: 'sk-second' },
      { id: 'same', provider: 'openai', apiKey: 'sk-second' },
    ],
  };
  const row = PROVIDERS.openai;
  const file = { ...place({}), accounts };
  const first = hostedAccount(row, null, file);
  const headers = { 'X-Team': 'a' };
  const baseUrl = 'http://file:1/v1';
  expect(first).toEqual({ apiKey: 'sk-file', profile: 'providers.openai', baseUrl, headers });
  const second = { apiKey: 'sk-second', profile: 'second', baseUrl, headers };
  expect(furtherKeys(row, first, file)).toEqual([second]);
  const env = { OPENAI_API_KEY: 'sk-env', OPENAI_BASE_URL: 'http://env:1/v1' };
  const both = { ...place(env), accounts };
  const known = hostedAccount(row, null, both);
  expect(known).toMatchObject({ profile: 'OPENAI_API_KEY', baseUrl: 'http://env:1/v1' });
  expect(furtherKeys(row, known, both).map(({ profile }) => profile)).toEqual(['second']);
});
