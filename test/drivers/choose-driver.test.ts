/** Which driver a model begins with, by what is known of it before its first request. */
import { describe, expect, it } from 'vitest';
import { chooseDriver, type Described, windowFor } from '../../src/drivers/choose-driver.ts';
import { isPublicAddress } from '../../src/llm/http/public-address.ts';
import type { Lesson } from '../../src/llm/models/lessons.ts';
import { parametersIn, parametersText, sizeInName } from '../../src/llm/models/model-size.ts';
import { modelInfo as ollamaInfo } from '../../src/llm/ollama/models.ts';
import { modelInfo as openAiInfo } from '../../src/llm/openai/models.ts';
import { Listed } from '../../src/llm/openai/wire.ts';

interface OllamaFacts {
  readonly size?: string;
  readonly count?: number;
  readonly window?: number;
  readonly tools?: boolean;
  readonly architecture?: string;
  readonly remote?: boolean;
}

/** As /api/show and /api/tags tell. */
function onOllama(model: string, facts: OllamaFacts): Described {
  const { size, count, window = 131_072, tools = true, architecture = 'qwen2', remote } = facts;
  const info = {
    'general.architecture': architecture,
    [`${architecture}.context_length`]: window,
    ...(count === undefined ? {} : { 'general.parameter_count': count }),
  };
  const details = size === undefined ? {} : { parameter_size: size };
  const capabilities = tools ? ['completion', 'tools'] : ['completion'];
  const tag = { name: model, ...(remote ? { remote_host: 'https://ollama.com' } : {}) };
  return ollamaInfo(model, { model_info: info, details, capabilities }, { models: [tag] });
}

/** As a server that speaks OpenAI's language lists it. */
function onServer(url: string, model: string, listed: object, window: number | null): Described {
  const info = openAiInfo(model, Listed.parse({ id: model, ...listed }), window);
  return { ...info, isHosted: true, ...(isPublicAddress(url) ? { isPublic: true } : {}) };
}

/** As a file tells; the embedded engine has no tools. */
const embedded = (model: string): Described => ({
  model,
  digest: 'sha',
  contextWindow: 32_768,
  capabilities: { tools: false, schema: true, thinking: false },
  parameters: 32e9,
});

const LAN = 'http://192.168.1.20:1234/v1';
const OPENROUTER = 'https://openrouter.ai/api/v1';

type Row = readonly [what: string, info: Described, driver: string, why: RegExp, window?: number];

const ROWS: readonly Row[] = [
  ['a 1.5B of Ollama', onOllama('qwen2.5-coder:1.5b', { size: '1.5B' }), 'guided', /1\.5 billion/],
  ['a 7B of Ollama', onOllama('qwen2.5-coder:7b', { count: 7_615_616_512 }), 'guided', /7\.6 b/],
  ['one just below', onOllama('m', { size: '13.9B' }), 'guided', /small for working with tools/],
  [
    'a 14B of Ollama, with a larger window',
    onOllama('qwen2.5-coder:14b', { size: '14.8B' }),
    'free',
    /15 billion parameters and can call tools/,
    32_768,
  ],
  ['the default model', onOllama('gpt-oss:20b', { size: '20.9B' }), 'free', /21 billion/, 32_768],
  [
    'a large one that was trained for less',
    onOllama('old:70b', { size: '70B', window: 8192 }),
    'guided',
    /window of 8192/,
    8192,
  ],
  [
    'a large one without tools',
    onOllama('m:70b', { size: '70B', tools: false }),
    'guided',
    /cannot call/,
  ],
  ['one of Ollama whose size only its name says', onOllama('mixtral:8x7b', {}), 'free', /56 bill/],
  ['one of which nobody tells', onOllama('mine:latest', {}), 'guided', /nobody tells how large/],
  [
    'one that Ollama runs elsewhere',
    onOllama('glm-5:cloud', { remote: true }),
    'free',
    /it is hosted and can call tools/,
  ],
  [
    'a small one that its server does not hold to a schema',
    onOllama('gpt-oss:mini', { size: '3B', architecture: 'gptoss' }),
    'free',
    /does not hold its answers to a schema/,
  ],
  [
    'a file',
    embedded('/home/me/qwen2.5-coder-32b.gguf'),
    'guided',
    /^guided: qwen2.5-coder-32b.gguf cannot/,
  ],
  [
    "llama.cpp's server with a small one, whatever it is called",
    onServer('http://127.0.0.1:8080/v1', 'gpt-4', { meta: { n_params: 1.54e9 } }, 32_768),
    'guided',
    /1\.5 billion/,
  ],
  [
    "llama.cpp's server with a large one",
    onServer('http://127.0.0.1:8080/v1', 'any', { meta: { n_params: 32.8e9 } }, 65_536),
    'free',
    /33 billion/,
    65_536,
  ],
  [
    'the same started with a small window',
    onServer('http://127.0.0.1:8080/v1', 'any', { meta: { n_params: 32.8e9 } }, 4096),
    'guided',
    /window of 4096/,
    4096,
  ],
  [
    'LM Studio, by the name',
    onServer(LAN, 'qwen2.5-coder-7b-instruct', {}, 32_768),
    'guided',
    /7 billion/,
  ],
  ['vLLM, by the name', onServer(LAN, 'Qwen/Qwen2.5-72B-Instruct', {}, 32_768), 'free', /72 b/],
  [
    'an unknown one at a private address',
    onServer('https://llm.corp.internal/v1', 'assistant', {}, 128_000),
    'guided',
    /nobody tells/,
  ],
  [
    'a known name behind a gateway',
    { ...onServer(LAN, 'gpt-5', {}, 400_000), isKnownByName: true },
    'free',
    /its name is that of a hosted model/,
    131_072,
  ],
  [
    'an unknown one at a public address',
    onServer('https://api.example.com/v1', 'assistant', {}, 128_000),
    'free',
    /it is hosted/,
  ],
  [
    'a hosted one whose window nobody tells',
    onServer('https://api.openai.com/v1', 'gpt-9', {}, null),
    'free',
    /it is hosted/,
  ],
  [
    'a hosted one without tools',
    onServer(OPENROUTER, 'a/b', { supported_parameters: ['seed'] }, 128_000),
    'guided',
    /cannot call tools/,
  ],
];

describe('the driver that suits a model', () => {
  const rows = ROWS.map(([what, info, driver, why, window]) => ({
    what,
    info,
    driver,
    why,
    window,
  }));

  it.each(rows)('$what', ({ info, driver, why, window }) => {
    const choice = chooseDriver({ info, lesson: null });
    expect(choice).toMatchObject({ name: driver, why: expect.stringMatching(why) });
    expect(choice.why.startsWith(`${driver}: `)).toBe(true);
    if (window !== undefined) expect(windowFor(choice.name, { info, lesson: null })).toBe(window);
  });

  const LEARNT: Lesson = { at: Date.UTC(2026, 10, 22) };
  const large = onOllama('m:32b', { size: '32B' });
  const small = onOllama('m:1b', { size: '1B' });

  it('follows what was learnt of the model, and says when', () => {
    expect(chooseDriver({ info: large, lesson: { ...LEARNT, callsUnusable: true } })).toEqual({
      name: 'guided',
      mayChange: false,
      why: 'guided: learnt on 2026-11-22 that its calls cannot be used',
    });
    expect(chooseDriver({ info: small, lesson: { ...LEARNT, leavesSchema: true } }).name).toBe(
      'free',
    );
    expect(chooseDriver({ info: large, lesson: { ...LEARNT, window: 8192 } }).name).toBe('guided');
    expect(chooseDriver({ info: large, lesson: LEARNT }).name).toBe('free');
  });

  it('with a window that was learnt asks for no more, unless a person does', () => {
    const lesson = { ...LEARNT, window: 20_000 };
    expect(windowFor('free', { info: large, lesson })).toBe(20_000);
    expect(windowFor('free', { info: large, lesson, requested: 24_000 })).toBe(24_000);
  });

  it('leaves a small or a led model the window it had', () => {
    expect(windowFor('guided', { info: large, lesson: null })).toBe(16_384);
    expect(windowFor('free', { info: small, lesson: null })).toBe(16_384);
  });

  it('a person who wants a small window has a large model led', () => {
    expect(chooseDriver({ info: large, lesson: null, requested: 8192 }).name).toBe('guided');
  });
});

describe('the size in a name', () => {
  it.each([
    ['qwen2.5-coder:7b', 7e9],
    ['qwen2.5-coder-1.5b-instruct-q4_k_m', 1.5e9],
    ['Qwen/Qwen2.5-Coder-14B-Instruct-GGUF:Q4_K_M', 14e9],
    ['mixtral:8x7b', 56e9],
    ['mixtral-8x22B-v0.1', 176e9],
    ['qwen3:30b-a3b', 30e9],
    ['gemma3n:e4b', 4e9],
    ['smollm2:135m', 135e6],
    ['kimi-k2:1t-cloud', 1e12],
    ['llama-3.3-70b-versatile', 70e9],
    ['phi-4-4bit', null],
    ['qwen2.5-coder:latest', null],
    ['gpt-4o', null],
    ['claude-opus-4-1', null],
    ['deepseek-v3.1', null],
  ])('%s', (name, size) => {
    expect(sizeInName(name)).toBe(size);
  });

  it('is read as servers tell it, and told to people', () => {
    expect(parametersIn('630.17M')).toBeCloseTo(630.17e6);
    expect(parametersIn('unknown')).toBeNull();
    expect(parametersText(1.54e9)).toBe('1.5 billion parameters');
    expect(parametersText(134.5e6)).toBe('135 million parameters');
  });
});

it.each([
  ['http://localhost:1234/v1', false],
  ['http://127.0.0.1:8080', false],
  ['http://[::1]:8080', false],
  ['http://10.1.2.3', false],
  ['http://172.20.0.4', false],
  ['http://172.32.0.4', true],
  ['http://100.100.1.1', false],
  ['http://[fd00::1]', false],
  ['http://workstation:11434', false],
  ['https://box.local', false],
  ['https://api.openai.com/v1', true],
  ['http://8.8.8.8', true],
  ['http://[2606:4700::1]', true],
  ['', false],
])('whether %s is a public address: %s', (url, isPublic) => {
  expect(isPublicAddress(url)).toBe(isPublic);
});
