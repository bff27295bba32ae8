import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeOllama, startFakeOllama } from './fake-ollama.ts';
import { recorded } from './fake-ollama-recordings.ts';
import { scriptedReplies } from './fake-ollama-script.ts';

let server: FakeOllama | undefined;
afterEach(() => server?.close());

const post = async (url: string, body: unknown) => {
  const response = await fetch(url, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.text() };
};

const user = (content: unknown) => ({
  model: 'qwen2.5-coder:1.5b',
  messages: [{ role: 'user', content }],
});

describe('the fake server refuses what a real one refuses, in its words', () => {
  const answerOf = (name: Parameters<typeof recorded>[0]) => {
    const { status, body } = recorded(name);
    return { status, body };
  };

  it.each([
    ['chat_empty_body', ''],
    ['chat_bad_json', '{"model":'],
    ['chat_empty_model', { model: '', messages: [] }],
    ['chat_missing_model', { model: 'nope:1b', messages: [] }],
    ['chat_content_array', user([{ type: 'text', text: 'hi' }])],
    ['chat_format_bad', { ...user('hi'), format: 'yaml' }],
    ['options_wrong_type', { ...user('hi'), options: { num_ctx: 'big' } }],
    [
      'chat_tools_unsupported',
      { ...user('hi'), model: 'smollm2:135m', tools: [{ function: { name: 'x' } }] },
    ],
  ] as const)('%s', async (name, body) => {
    server = await startFakeOllama();
    expect(await post(`${server.url}/api/chat`, body)).toEqual(answerOf(name));
  });

  it('string arguments', async () => {
    server = await startFakeOllama();
    const call = { function: { name: 'f', arguments: '{"path":"a"}' } };
    const messages = [{ role: 'assistant', content: '', tool_calls: [call] }];
    expect(await post(`${server.url}/api/chat`, { model: 'qwen2.5-coder:1.5b', messages })).toEqual(
      answerOf('chat_arguments_string'),
    );
  });

  it('a prompt longer than the window, where it is told to', async () => {
    server = await startFakeOllama({ enforceWindow: true });
    const answer = await post(`${server.url}/api/chat`, {
      ...user('x'.repeat(9000)),
      options: { num_ctx: 512 },
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('exceeds the available context size (512 tokens)');
  });
});

describe.each(['0.24', '0.33'] as const)('the fake server of the era of %s', (era) => {
  const isOld = era === '0.24';

  it('says its version, and in /api/tags no more than it did then', async () => {
    server = await startFakeOllama({ era });
    const get = async (path: string) => (await fetch(`${server?.url}${path}`)).json();
    expect(await get('/api/version')).toEqual({ version: `${era}.0` });
    const { models } = (await get('/api/tags')) as { models: object[] };
    expect('capabilities' in (models[0] ?? {})).toBe(!isOld);
  });

  it('refuses a prompt that is too long in its own words', async () => {
    server = await startFakeOllama({ era, enforceWindow: true });
    const asked = { ...user('x'.repeat(9000)), options: { num_ctx: 512 } };
    const { status, body } = await post(`${server.url}/api/chat`, asked);
    expect(status).toBe(400);
    expect(body).toContain(isOld ? 'the input length exceeds' : 'exceed_context_size_error');
  });

  it('refuses a schema without a grammar in its own words', async () => {
    server = await startFakeOllama({ era });
    const asked = { ...user('hi'), format: { type: 'string', pattern: 'x' } };
    expect((await post(`${server.url}/api/chat`, asked)).status).toBe(isOld ? 500 : 400);
  });

  it('sends calls where it sent them then', async () => {
    const toolCalls = [{ name: 'f', arguments: {} }];
    server = await startFakeOllama({ era, script: () => ({ toolCalls }) });
    const { body } = await post(`${server.url}/api/chat`, user('hi'));
    const chunks = body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(chunks.find(({ message }) => message.tool_calls)?.done).toBe(!isOld);
  });
});

describe('the fake server', () => {
  it('loads the model again when the window changes', async () => {
    server = await startFakeOllama();
    for (const num_ctx of [2048, 2048, 4096]) {
      await post(`${server.url}/api/chat`, { ...user('hi'), stream: false, options: { num_ctx } });
    }
    expect(server.loads).toHaveLength(2);
  });

  it('answers nothing while a model loads, and loads only when it must', async () => {
    const steps: string[] = [];
    let release = (): void => undefined;
    const loaded = new Promise<void>((resolve) => {
      release = resolve;
    });
    server = await startFakeOllama({
      whileLoading: () => {
        steps.push('loads');
        return loaded;
      },
      script: () => {
        steps.push('answers');
        return { content: 'ok' };
      },
    });
    const ask = (num_ctx: number) =>
      post(`${server?.url}/api/chat`, { ...user('hi'), options: { num_ctx } });
    const first = ask(2048);
    await server.whenChat(1);
    release();
    await first;
    await ask(2048);
    await ask(4096);
    expect(steps).toEqual(['loads', 'answers', 'answers', 'loads', 'answers']);
  });

  it('sends calls in the chunk that ends the text, where it is told to', async () => {
    const toolCalls = [{ name: 'f', arguments: {} }];
    server = await startFakeOllama({
      script: () => ({ content: 'so be it', toolCalls, callsWithContent: true }),
    });
    const { body } = await post(`${server.url}/api/chat`, user('hi'));
    const [first, ...rest] = body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).message);
    expect(first).toMatchObject({ content: 'so be it', tool_calls: [{}] });
    expect(JSON.stringify(rest)).not.toContain('tool_calls');
  });

  it('notes format together with tools', async () => {
    server = await startFakeOllama();
    const tools = [{ function: { name: 'x' } }];
    await post(`${server.url}/api/chat`, { ...user('hi'), tools, format: 'json' });
    expect(server.violations).toContain('format together with tools');
  });

  it('answers by what a request says, and names the request that nothing answers', () => {
    const reply = scriptedReplies([
      { when: { last: 'plan' }, times: 1, reply: { content: 'A' } },
      { when: { last: ['plan', 'again'], tools: false }, reply: { content: 'B' } },
    ]);
    const asked = { ...user('plan it again') } as never;
    expect(reply(asked, 1)).toEqual({ content: 'A' });
    expect(reply(asked, 2)).toEqual({ content: 'B' });
    expect(reply(user('other') as never, 3).error?.body).toContain('no scripted turn matches');
  });

  it('runs as a process of its own and logs every call before it answers', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fake-ollama-'));
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const [script, log] = [join(folder, 'script.json'), join(folder, 'calls.jsonl')];
    writeFileSync(
      script,
      JSON.stringify({
        turns: [{ name: 'greet', when: { last: 'hi' }, reply: { content: 'yo' } }],
      }),
    );
    const child = spawn(
      process.execPath,
      ['scripts/run.mjs', 'test/support/fake-ollama-main.ts', '--script', script, '--log', log],
      { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      const [line] = await once(createInterface(child.stdout), 'line');
      const url = String(line).replace('listening on ', '');
      const request = JSON.stringify({ ...user('hi'), stream: false });
      expect((await post(`${url}/api/chat`, request)).body).toContain('yo');
      const calls = readFileSync(log, 'utf8').trim().split('\n');
      expect(calls.map((call) => JSON.parse(call))).toMatchObject([
        { n: 1, turn: 0, name: 'greet', body: request },
      ]);
    } finally {
      child.kill();
      await once(child, 'exit');
      rmSync(folder, { recursive: true });
    }
  });
});
