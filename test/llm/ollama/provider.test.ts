import { afterEach, describe, expect, it } from 'vitest';
import { penaltyOf } from '../../../src/llm/ollama/models.ts';
import { type OllamaProvider, ollamaProvider } from '../../../src/llm/ollama/ollama-provider.ts';
import {
  type FakeOllama,
  type FakeOllamaOptions,
  type Reply,
  startFakeOllama,
} from '../../support/fake-ollama.ts';
import { turn, WRITE_FILE } from '../support.ts';

let server: FakeOllama | undefined;
let provider: OllamaProvider | undefined;

afterEach(async () => {
  await provider?.close();
  await server?.close();
  server = undefined;
  provider = undefined;
});

async function connect(options: FakeOllamaOptions = {}) {
  server = await startFakeOllama(options);
  provider = ollamaProvider({ host: server.url });
  return { server, provider };
}

const answering = (reply: Reply, options: FakeOllamaOptions = {}) =>
  connect({ ...options, script: () => reply });

const THINKER = { name: 'thinker:8b', capabilities: ['completion', 'tools', 'thinking'] };
const GPT_OSS = {
  name: 'gpt-oss:20b',
  capabilities: ['completion', 'tools', 'thinking'],
  family: 'gptoss',
};

describe('the request on the wire', () => {
  it('has no penalty for repetition, but for a model whose author has set one', () => {
    expect(penaltyOf({})).toBe(1);
    expect(penaltyOf({ parameters: 'stop                           "<|im_end|>"' })).toBe(1);
    const parameters = 'repeat_penalty                 1.05\nstop                           "x"';
    expect(penaltyOf({ parameters })).toBeNull();
  });

  it('asks for streaming, one window, no truncation and no shift, and repeats to the byte', async () => {
    const { server, provider } = await answering({ content: 'hi' });
    await turn(provider);
    await turn(provider);
    expect(server.chat(0)).toEqual({
      model: 'qwen2.5-coder:1.5b',
      stream: true,
      truncate: false,
      shift: false,
      keep_alive: '10m',
      options: { num_ctx: 4096, num_predict: 512, temperature: 0.2, seed: 7, repeat_penalty: 1 },
      messages: [
        { role: 'system', content: 'You work on files.' },
        { role: 'user', content: 'Say hello.' },
      ],
    });
    expect(server.chats[1]).toBe(server.chats[0]);
    expect(server.violations).toEqual([]);
    expect(server.loads).toHaveLength(1);
  });

  it('sends calls with object arguments, and results with both names of their call', async () => {
    const { server, provider } = await answering({ content: 'done' });
    const result = await turn(provider, {
      tools: [WRITE_FILE],
      messages: [
        { role: 'user', content: 'Create a.txt' },
        {
          role: 'assistant',
          content: '',
          thinking: 'hidden from a model that does not think',
          toolCalls: [{ id: 'call_1', name: 'write_file', args: { path: 'a.txt', content: 'hi' } }],
          opaque: { provider: 'other', blocks: ['signed'] },
        },
        { role: 'tool', toolCallId: 'call_1', toolName: 'write_file', content: 'Wrote 2 chars' },
      ],
    });
    expect(result.status).toEqual({ kind: 'success' });
    expect(server.chat(0).messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          {
            id: 'call_1',
            function: {
              index: 0,
              name: 'write_file',
              arguments: { path: 'a.txt', content: 'hi' },
            },
          },
        ],
      },
      { role: 'tool', tool_name: 'write_file', tool_call_id: 'call_1', content: 'Wrote 2 chars' },
    ]);
    expect(server.chat(0).tools).toHaveLength(1);
  });

  it('says think:false to models that can think, and nothing to the others', async () => {
    const { server, provider } = await answering(
      { content: 'hi', thinking: 'hm' },
      { models: [THINKER, GPT_OSS, { name: 'plain' }] },
    );
    await turn(provider, { model: 'thinker:8b' });
    await turn(provider, { model: 'gpt-oss:20b' });
    await turn(provider, { model: 'plain' });
    expect([0, 1, 2].map((n) => server.chat(n).think)).toEqual([false, 'low', undefined]);
    expect(server.violations).toEqual([]);
  });

  it('lets models think as much as is asked for, in the words of each', async () => {
    const { server, provider } = await answering(
      { content: 'hi' },
      { models: [THINKER, GPT_OSS, { name: 'plain' }] },
    );
    for (const effort of ['low', 'high'] as const)
      for (const model of ['thinker:8b', 'gpt-oss:20b', 'plain'])
        await turn(provider, { model, effort });
    const sent = server.chats.map((_, n) => server.chat(n).think);
    expect(sent).toEqual([false, 'low', undefined, true, 'high', undefined]);
    expect(server.violations).toEqual([]);
  });

  it('sends the schema as format, cut down to what a grammar takes', async () => {
    const { server, provider } = await answering({ content: '{"action":"x"}' });
    const result = await turn(provider, {
      responseSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { action: { type: 'string', pattern: '\\d+' } },
        required: ['action'],
      },
    });
    expect(result.status).toEqual({ kind: 'success' });
    expect(server.chat(0).format).toEqual({
      type: 'object',
      properties: { action: { type: 'string' } },
      required: ['action'],
    });
  });
});

describe('answers', () => {
  it('streams text as it comes and counts tokens and time', async () => {
    const { provider } = await answering({ recorded: 'chat_stream_text' });
    const result = await turn(provider, {
      messages: [{ role: 'user', content: 'Say hello in three words.' }],
    });
    expect(result).toMatchObject({
      status: { kind: 'success' },
      message: { role: 'assistant', content: 'Hello, world!' },
      rawReason: 'stop',
      usage: { input: 35, output: 5 },
    });
    expect(result.usage.modelMs).toBeGreaterThan(100);
    expect(result.events.map((event) => (event.type === 'text' ? event.text : event.type))).toEqual(
      ['Hello', ',', ' world', '!', 'finished'],
    );
  });

  it.each(['middle', 'final'] as const)('collects calls from the %s chunk', async (callsIn) => {
    const { provider } = await answering({
      content: 'I will write it.',
      callsIn,
      toolCalls: [
        { name: 'write_file', arguments: { path: 'a', content: '1' } },
        { name: 'write_file', arguments: { path: 'b', content: '2' } },
      ],
    });
    const result = await turn(provider, { tools: [WRITE_FILE] });
    expect(result.status).toEqual({ kind: 'success' });
    expect(result.events.at(-1)).toMatchObject({ reason: 'tool_calls', rawReason: 'stop' });
    expect(result.message.toolCalls).toEqual([
      { id: 'call_fake0001', name: 'write_file', args: { path: 'a', content: '1' } },
      { id: 'call_fake0002', name: 'write_file', args: { path: 'b', content: '2' } },
    ]);
  });

  it('makes missing ids from the place in the conversation, the same in a repeated turn', async () => {
    const { provider } = await answering({
      toolCalls: [
        { id: null, withoutIndex: true, name: 'write_file', arguments: { path: 'a' } },
        { id: null, name: 'write_file', arguments: { path: 'a' } },
      ],
    });
    const first = await turn(provider, { tools: [WRITE_FILE] });
    const second = await turn(provider, { tools: [WRITE_FILE] });
    expect(first.message.toolCalls?.map((call) => call.id)).toEqual(['call_2_1', 'call_2_2']);
    expect(second.message.toolCalls).toEqual(first.message.toolCalls);
  });

  it('gives two calls with one id different ids, and counts a call sent twice once', async () => {
    const { provider } = await answering({
      toolCalls: [
        { id: 'same', name: 'write_file', arguments: { path: 'a' } },
        { id: 'same', name: 'write_file', arguments: { path: 'b' } },
        { id: 'same', name: 'write_file', arguments: { path: 'a' } },
      ],
    });
    const result = await turn(provider, { tools: [WRITE_FILE] });
    const calls = result.message.toolCalls ?? [];
    expect(calls.map((call) => call.args.path)).toEqual(['a', 'b']);
    expect(new Set(calls.map((call) => call.id)).size).toBe(2);
  });

  it('never gives out an id that the conversation already has', async () => {
    const { provider } = await answering({
      toolCalls: [{ id: 'call_1', name: 'write_file', arguments: {} }],
    });
    const earlier = { id: 'call_1', name: 'write_file', args: {} };
    const result = await turn(provider, {
      messages: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: '', toolCalls: [earlier] },
        { role: 'tool', toolCallId: 'call_1', toolName: 'write_file', content: 'ok' },
      ],
    });
    expect(result.message.toolCalls?.[0]?.id).not.toBe('call_1');
  });

  it('keeps thinking apart from the text', async () => {
    const { provider } = await answering(
      { thinking: 'Let me see.', content: 'Done.' },
      { models: [GPT_OSS] },
    );
    const result = await turn(provider, { model: 'gpt-oss:20b' });
    expect(result.message).toEqual({
      role: 'assistant',
      content: 'Done.',
      thinking: 'Let me see.',
    });
  });

  it('takes missing counts as zero', async () => {
    const { provider } = await answering({ content: 'hi', noMetrics: true });
    const result = await turn(provider);
    expect(result.status).toEqual({ kind: 'success' });
    expect(result.usage).toMatchObject({ input: 0, output: 0, modelMs: 0 });
  });

  it('keeps text whole whose characters are cut between two packets', async () => {
    const text = 'héllo — ✓ 日本';
    const { provider } = await answering({ content: text, pieceLength: 1 });
    expect((await turn(provider)).message.content).toBe(text);
  });
});

describe('models', () => {
  it('describes a model from /api/show, not from what /api/tags leaves out', async () => {
    const { provider } = await connect({ models: [{ name: 'm:1b', contextLength: 8192 }] });
    const info = await provider.describe('m:1b', new AbortController().signal);
    expect(info).toEqual({
      model: 'm:1b',
      digest: 'ef0e9ff0a0ffc1497b40ccbb2d0c7256b4bbe5387814e89b77c5f0aa25807cba',
      contextWindow: 8192,
      capabilities: { tools: true, schema: true, thinking: false, images: false },
      parameters: 630.17e6,
    });
  });

  it('lists models by their number of parameters, without those that cannot talk', async () => {
    const { provider } = await connect({
      models: [
        { name: 'nomic', parameterSize: '137M', capabilities: ['embedding'] },
        { name: 'small', parameterSize: '630.17M' },
        { name: 'large', parameterSize: '20.9B' },
        { name: 'hosted:120b-cloud', parameterSize: '116.8B' },
        { name: 'middle', parameterSize: '7.6B' },
      ],
    });
    expect(await provider.list(new AbortController().signal)).toEqual([
      'large',
      'middle',
      'small',
      'hosted:120b-cloud',
    ]);
  });

  it('says which window the loaded model really has', async () => {
    const { provider } = await connect({ loadedWindow: 2048 });
    expect(
      await provider.loadedWindow('qwen2.5-coder:1.5b', new AbortController().signal),
    ).toBeNull();
    await turn(provider);
    expect(await provider.loadedWindow('qwen2.5-coder:1.5b', new AbortController().signal)).toBe(
      2048,
    );
  });

  it('finds a model whose tag was left out', async () => {
    const { provider } = await connect({ models: [{ name: 'qwen3:latest', digest: 'abc' }] });
    const info = await provider.describe('qwen3', new AbortController().signal);
    expect(info.digest).toBe('abc');
  });

  it('is asked for its models once by who lists and then describes them, and anew later', async () => {
    const { server, provider } = await connect();
    const { signal } = new AbortController();
    const [model = ''] = await provider.list(signal);
    await provider.describe(model, signal);
    const lists = () => server.requests.filter((request) => request === 'GET /api/tags').length;
    expect(lists()).toBe(1);
    await provider.describe(model, signal);
    expect(lists()).toBe(2);
  });
});
