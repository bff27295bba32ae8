import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { modelsText } from '../../src/cli/commands/models.ts';
import { main } from '../../src/cli/main.ts';
import { createStyle } from '../../src/cli/render/text/style.ts';
import { widthOf } from '../../src/cli/render/text/text.ts';
import type { ProviderListing } from '../../src/host/engine-port.ts';
import { listModels } from '../../src/host/models/list-models.ts';
import type { ProgressLine } from '../../src/host/providers/download.ts';
import { downloadReporter } from '../../src/host/providers/download-reporter.ts';
import type { ListedModel } from '../../src/host/providers/provider-row.ts';
import { ggufFile } from '../llm/embedded/fake-engine.ts';
import { fakeEngine, fakeTerminal } from './support.ts';

/** A busy machine takes long to load a client; no test waits for it. */
const PATIENCE_MS = 300_000;

let folder = '';
const servers: Server[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'models-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
  rmSync(folder, { recursive: true, force: true });
});

async function serve(answers: { readonly [path: string]: unknown }): Promise<string> {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: { message: 'no such page' } }));
  });
  // However long the client takes between two questions, the connection is still there.
  server.keepAliveTimeout = 0;
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function look(env: { [name: string]: string }) {
  const terminal = fakeTerminal({ cwd: folder, env: { XDG_DATA_HOME: folder, ...env } });
  const { signal } = new AbortController();
  const request = { host: null, baseUrl: null, signal };
  return await listModels(request, terminal, PATIENCE_MS);
}

const CLOSED = 'http://127.0.0.1:1';

test('every provider has a line, and what is missing is said with what to do', async () => {
  const listing = await look({ OLLAMA_HOST: CLOSED });
  expect(listing.map(({ provider }) => provider)).toEqual([
    'ollama',
    'anthropic',
    'openai',
    'openrouter',
    'embedded',
  ]);
  expect(listing.every(({ models, problem }) => models.length === 0 && problem !== '')).toBe(true);
  expect(listing[1]).toMatchObject({
    problem: 'Anthropic needs a key, and ANTHROPIC_API_KEY is not set.',
    next: 'Set it: export ANTHROPIC_API_KEY=KEY',
  });
  expect(listing[4]).toMatchObject({ option: 'model', optionValue: 'qwen2.5-coder-1.5b' });
  expect(modelsText(listing, LOOK)).toContain('agent setup embedded --model qwen2.5-coder-1.5b');
});

test('a server of the settings is listed under its own name', async () => {
  const baseUrl = `${await serve({ '/v1/models': { data: [{ id: 'strong' }] } })}/v1`;
  const env = { XDG_DATA_HOME: folder, OLLAMA_HOST: CLOSED };
  const accounts = { providers: { team: { baseUrl } }, profiles: [] };
  const place = { ...fakeTerminal({ cwd: folder, env }), accounts };
  const { signal } = new AbortController();
  const listing = await listModels({ host: null, baseUrl: null, signal }, place, PATIENCE_MS);
  expect(listing.at(-1)).toMatchObject({ provider: 'team', problem: '' });
  expect(listing.at(-1)?.models.map(({ name }) => name)).toEqual(['team/strong']);
});

test('an Ollama without a model names the command that gets one of 1 GB', async () => {
  const ollama = await serve({ '/api/tags': { models: [] } });
  const listing = await look({ OLLAMA_HOST: ollama });
  expect(listing[0]).toMatchObject({
    problem: 'no model is installed',
    next: 'Get a small one (1 GB)',
    command: ['setup', 'ollama'],
    option: 'model',
    optionValue: 'qwen2.5-coder:1.5b',
  });
});

test('the models of Ollama and of a server that speaks OpenAI’s language are listed', async () => {
  const ollama = await serve({
    '/api/tags': { models: [{ name: 'small:1b', model: 'small:1b', digest: 'd', details: {} }] },
    '/api/show': {
      capabilities: ['completion', 'tools'],
      model_info: { 'general.architecture': 'qwen2', 'qwen2.context_length': 32_768 },
    },
  });
  const own = await serve({
    '/v1/models': { data: [{ id: 'Qwen/Qwen2.5-7B', max_model_len: 4096 }] },
  });
  const listing = await look({ OLLAMA_HOST: ollama, OPENAI_BASE_URL: `${own}/v1` });
  expect(listing[0]?.models).toEqual([
    {
      name: 'small:1b',
      contextWindow: 32_768,
      capabilities: { tools: true, schema: true, thinking: false, images: false },
      price: 'free',
    },
  ]);
  expect(listing[2]?.models).toMatchObject([
    { name: 'openai/Qwen/Qwen2.5-7B', contextWindow: 4096, price: null },
  ]);
});

test('a price that a server tells is listed, and nothing is free', async () => {
  const pricing = { prompt: '0.0000005', completion: '0.000002' };
  const own = await serve({
    '/v1/models': {
      data: [
        { id: 'gpt-4o', pricing },
        { id: 'gift', pricing: { prompt: '0', completion: '0' } },
        { id: 'secret' },
      ],
    },
  });
  const listing = await look({ OLLAMA_HOST: CLOSED, OPENAI_BASE_URL: `${own}/v1` });
  expect(listing[2]?.models.map(({ name, price }) => [name, price])).toEqual([
    // Its own, and not what others ask for a model of this name.
    ['openai/gpt-4o', { input: 0.5, output: 2, cacheRead: 0.5, cacheWrite: 0.5 }],
    ['openai/gift', 'free'],
    ['openai/secret', null],
  ]);
});

test('a server that takes the question and says nothing costs its patience and no more', async () => {
  const silent = createServer(() => {});
  servers.push(silent);
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  const { port } = silent.address() as AddressInfo;
  const terminal = fakeTerminal({ env: { XDG_DATA_HOME: folder } });
  const { signal } = new AbortController();
  const request = { host: `127.0.0.1:${port}`, baseUrl: null, signal };
  const listing = await listModels(request, terminal, 50);
  expect(listing[0]).toMatchObject({ models: [], problem: 'no answer within 0.05 s' });
});

test('where one provider is meant nobody else is asked', async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.end('{}');
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const env = {
    XDG_DATA_HOME: folder,
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
  };
  const request = { host: null, baseUrl: null, signal: new AbortController().signal };
  const terminal = fakeTerminal({ cwd: folder, env });
  const listing = await listModels({ ...request, provider: 'embedded' }, terminal, PATIENCE_MS);
  expect(listing.map(({ provider }) => provider)).toEqual(['embedded']);
  expect(asked).toBe(0);
});

test('a GGUF file in the data folder is named as --model takes it', async () => {
  const hub = join('Qwen', 'Qwen2.5-Coder-1.5B-Instruct-GGUF');
  const models = join(folder, 'tardigrade-agent', 'models');
  mkdirSync(join(models, hub), { recursive: true });
  writeFileSync(
    join(models, hub, 'qwen2.5-coder-1.5b-instruct-q4_k_m.gguf'),
    ggufFile('qwen2', 32_768),
  );
  writeFileSync(join(models, 'own.gguf'), ggufFile('qwen2', 4096));
  writeFileSync(join(models, hub, 'half.gguf.part'), 'GGUF');
  const listing = await look({ OLLAMA_HOST: CLOSED });
  expect(listing[4]?.models.map(({ name, contextWindow }) => [name, contextWindow])).toEqual([
    ['embedded:qwen2.5-coder-1.5b', 32_768],
    [`embedded:${join(models, 'own.gguf')}`, 4096],
  ]);
});

const model = (name: string, more: Partial<ListedModel> = {}): ListedModel => ({
  name,
  contextWindow: 1_050_000,
  capabilities: { tools: true, schema: true, thinking: true },
  price: { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 },
  ...more,
});

const LISTING: readonly ProviderListing[] = [
  {
    provider: 'ollama',
    where: 'http://127.0.0.1:11434',
    models: [
      model('gpt-oss:20b', { contextWindow: 131_072, price: 'free' }),
      model(`hf.co/somebody/${'a-very-long-name-'.repeat(3)}GGUF:Q4_K_M`, { price: 'free' }),
      model('odd', { contextWindow: null, capabilities: null, price: null }),
    ],
    problem: '',
    next: '',
  },
  {
    provider: 'anthropic',
    where: '',
    models: [],
    problem: 'Anthropic needs a key, and ANTHROPIC_API_KEY is not set.',
    next: 'Set it: export ANTHROPIC_API_KEY=KEY',
  },
  {
    provider: 'openai',
    where: 'https://api.openai.com/v1',
    models: Array.from({ length: 30 }, (_, index) => model(`openai/gpt-6-${index}`)),
    problem: '',
    next: '',
  },
];

const LOOK = {
  style: createStyle({ env: {}, platform: 'linux' }, { isTerminal: false }),
  width: 79,
  most: 15,
  agent: 'agent',
};

test('at 80 columns no line is cut but a long name, which stays whole on a line of its own', () => {
  const lines = modelsText(LISTING, LOOK).split('\n');
  const wide = lines.filter((line) => widthOf(line) > 79);
  expect(wide.every((line) => line.startsWith('  hf.co/'))).toBe(true);
  expect(lines.filter((line) => line.includes('…'))).toEqual([]);
  expect(lines).toContain('  and 15 more: agent models --verbose');
  expect(lines.some((line) => line.endsWith('1,050,000  tools schema think  $10 / $50'))).toBe(
    true,
  );
});

test('at 40 columns what a model can do and costs stands below its name, whole', () => {
  const text = modelsText(LISTING, { ...LOOK, width: 39 });
  expect(text).not.toContain('…');
  expect(text).toMatch(
    /\n {2}openai\/gpt-6-0\n {4}1,050,000, tools schema think,\n {4}\$10\/\$50\n/,
  );
});

test('nothing reachable exits with 7, something with 0, and --json gives all of it', async () => {
  const run = async (listing: readonly ProviderListing[], ...more: string[]) => {
    const terminal = fakeTerminal({ cwd: folder });
    const engine = fakeEngine({ parts: { listModels: () => Promise.resolve(listing) } });
    const exitCode = await main(['models', ...more], terminal, () => Promise.resolve(engine));
    return { exitCode, stdout: terminal.stdout.text() };
  };
  expect((await run(LISTING)).exitCode).toBe(0);
  expect((await run(LISTING.slice(1, 2))).exitCode).toBe(7);
  expect(JSON.parse((await run(LISTING, '--json')).stdout)).toEqual({ providers: LISTING });
});

test('a download is heard of every now and then, with its speed', () => {
  let now = 0;
  const lines: string[] = [];
  const report = ({ text }: ProgressLine) => lines.push(text);
  const tell = downloadReporter({ report, everyMs: 5000 }, { monotonic: () => now });
  for (let done = 0; done <= 100e6; done += 1e6) {
    tell({ name: 'c.gguf', part: 'c.gguf', done, total: 100e6 });
    now += 100;
  }
  expect(lines).toEqual([
    'c.gguf: 0 % of 100 MB',
    'c.gguf: 50 % of 100 MB, 10.0 MB/s, 5 s left',
    'c.gguf: 100 % of 100 MB, 10.0 MB/s, 0 s left',
  ]);
});
