import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  callDelta,
  chunk,
  DONE,
  event,
  openAiError,
  saying,
  usageChunk,
} from '../../support/fake-openai-bodies.ts';
import { turn, WRITE_FILE } from '../support.ts';
import { answering, answeringInTurn } from './support.ts';

const SCHEMA = {
  type: 'object',
  properties: { action: { type: 'string', pattern: '\\d+' } },
  required: ['action'],
  additionalProperties: false,
};

describe('the request on the wire', () => {
  it('asks for streaming and usage, and repeats to the byte', async () => {
    const { server, provider } = await answering({ stream: saying('hi') });
    await turn(provider);
    await turn(provider);
    expect(server.chat(0)).toEqual({
      model: 'qwen2.5-coder:1.5b',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 512,
      temperature: 0.2,
      seed: 7,
      messages: [
        { role: 'system', content: 'You work on files.' },
        { role: 'user', content: 'Say hello.' },
      ],
    });
    expect(server.chats[1]).toBe(server.chats[0]);
    expect(server.requests).toEqual(['POST /v1/chat/completions', 'POST /v1/chat/completions']);
  });

  it('asks for no more than fits beside the prompt, and for half a thousand tokens at least', async () => {
    const { server, provider } = await answering({ stream: saying('hi') });
    for (const chars of [1600, 6400, 12_800]) {
      const messages = [{ role: 'user' as const, content: 'x'.repeat(chars) }];
      await turn(provider, { messages, maxOutputTokens: 2048, contextWindow: 4096 });
    }
    const [whole, half, least] = [0, 1, 2].map((index) => Number(server.chat(index).max_tokens));
    expect(whole).toBe(2048);
    expect(half).toBeGreaterThan(1900);
    expect(half).toBeLessThan(4096 - 6400 / 3.2);
    expect(least).toBe(512);
  });

  it('tells nothing of this machine, and nothing from the environment', async () => {
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-from-environment: yes');
    vi.stubEnv('OPENAI_ORG_ID', 'org-from-environment');
    vi.stubEnv('OPENAI_API_KEY', 'key-from-environment');
    const { server, provider } = await answering({ stream: saying('hi') }, { apiKey: '' });
    await turn(provider);
    vi.unstubAllEnvs();
    expect(Object.keys(server.headers[0] ?? {}).sort()).toEqual([
      'accept',
      'connection',
      'content-length',
      'content-type',
      'host',
    ]);
  });

  it('names tools and calls as every server takes them, and gives the names back', async () => {
    const tool = { ...WRITE_FILE, name: 'mcp.files.write' };
    const { server, provider } = await answering({
      stream:
        event(chunk(callDelta({ index: 0, id: 'x', name: 'mcp_files_write', arguments: '{}' }))) +
        event(chunk({}, 'tool_calls')) +
        DONE,
    });
    const id = `subtask#1#${'long'.repeat(12)}`;
    const result = await turn(provider, {
      tools: [tool, { ...tool, name: 'mcp_files.write' }],
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: '',
          thinking: 'not for the wire',
          toolCalls: [{ id, name: 'mcp_files.write', args: { path: 'a' } }],
          opaque: { provider: 'anthropic', blocks: [{ signature: 'foreign' }] },
        },
        { role: 'tool', toolCallId: id, toolName: 'mcp_files.write', content: 'done' },
      ],
    });
    const wireId = id.replaceAll('#', '_').slice(0, 40);
    expect(server.chat(0).messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          {
            id: wireId,
            type: 'function',
            function: { name: 'mcp_files_write_2', arguments: '{"path":"a"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: wireId, name: 'mcp_files_write_2', content: 'done' },
    ]);
    expect(result.message.toolCalls).toEqual([{ id: 'x', name: 'mcp.files.write', args: {} }]);
    expect(server.chats[0]).not.toMatch(/foreign|not for the wire/);
  });

  it('sends a schema cut down to what a grammar takes, strictly where it is closed', async () => {
    const { server, provider } = await answering({ stream: saying('{"action":"x"}') });
    await turn(provider, { responseSchema: SCHEMA });
    await turn(provider, { responseSchema: { anyOf: [SCHEMA, SCHEMA] } });
    expect(server.chat(0).response_format).toEqual({
      type: 'json_schema',
      json_schema: {
        name: 'answer',
        strict: true,
        schema: { ...SCHEMA, properties: { action: { type: 'string' } } },
      },
    });
    expect(server.chat(1).response_format).toMatchObject({ json_schema: { strict: false } });
  });
});

describe('answers', () => {
  it('without a reason are whole where the tokens were counted behind them, and only there', async () => {
    const said = event(chunk({ content: 'hi' }));
    const counts = { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 };
    const counted = await answering({ stream: said + event(usageChunk(counts)) + DONE });
    const whole = await turn(counted.provider);
    expect(whole.status).toEqual({ kind: 'success' });
    expect(whole.message.content).toBe('hi');
    expect(whole.usage).toMatchObject({ input: 9, output: 2 });
    const meanwhile = event({ ...chunk({ content: 'hi' }), usage: counts });
    for (const stream of [meanwhile, meanwhile + DONE, event(usageChunk(counts)) + said + DONE]) {
      const { provider } = await answering({ stream });
      expect((await turn(provider)).status.kind).toBe('invalid_response');
    }
  });

  it('stream text as it comes, with tokens in their classes', async () => {
    const { provider } = await answering({
      stream: [
        ': OPENROUTER PROCESSING\n\n',
        event(chunk({ role: 'assistant', content: '', reasoning_content: 'Let me' })),
        event(chunk({ reasoning: ' think', reasoning_details: null })),
        event(chunk({ content: 'Hel' })),
        event(chunk({ content: 'lo' }, 'stop')),
        event(
          usageChunk({
            prompt_tokens: 100,
            completion_tokens: 30,
            total_tokens: 130,
            prompt_tokens_details: { cached_tokens: 80, cache_write_tokens: 5 },
            completion_tokens_details: { reasoning_tokens: 12 },
          }),
        ),
        DONE,
      ].join(''),
    });
    const result = await turn(provider);
    expect(result).toMatchObject({
      status: { kind: 'success' },
      rawReason: 'stop',
      message: { content: 'Hello', thinking: 'Let me think' },
      usage: { input: 15, output: 18, thinking: 12, cacheRead: 80, cacheWrite: 5 },
    });
    expect(result.events.map(({ type }) => type)).toEqual([
      'thinking',
      'thinking',
      'text',
      'text',
      'usage',
      'finished',
    ]);
  });

  it('count thinking that a server adds to the total apart', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 35 };
    const { provider } = await answering({
      stream:
        event(chunk({ content: 'hi' }, 'stop')) +
        event(usageChunk({ ...usage, completion_tokens_details: { reasoning_tokens: 20 } })) +
        DONE,
    });
    expect((await turn(provider)).usage).toMatchObject({ output: 5, thinking: 20 });
  });

  it("take llama.cpp's own times, and what it had in its cache", async () => {
    const timings = { cache_n: 20, prompt_ms: 120.4, predicted_ms: 300.2 };
    const { provider } = await answering({
      stream:
        event(chunk({ content: 'hi' }, 'stop')) +
        event({ ...usageChunk({ prompt_tokens: 26, completion_tokens: 2 }), timings }) +
        DONE,
    });
    expect((await turn(provider)).usage).toEqual({
      input: 6,
      output: 2,
      thinking: 0,
      cacheRead: 20,
      cacheWrite: 0,
      modelMs: 421,
    });
  });

  it('measure the time where the server does not tell it', async () => {
    let time = 0;
    const clock = { monotonic: () => (time += 250) };
    const stream = event(chunk({ content: 'hi' }, 'stop')) + DONE;
    const { provider } = await answering({ stream }, { clock });
    expect((await turn(provider)).usage.modelMs).toBe(250);
  });

  it('come whole where a server does not stream', async () => {
    const message = { role: 'assistant', content: 'Hello', tool_calls: null };
    const { provider } = await answering({
      stream: JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }, null, 2),
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
    const result = await turn(provider);
    expect(result).toMatchObject({ status: { kind: 'success' }, message: { content: 'Hello' } });
  });

  it('survive any cut between two packets, in a character too', async () => {
    const bytes = Buffer.from(saying('Grüße, 世界 🐢'));
    const pieces = [...bytes].map((_, index) => bytes.subarray(index, index + 1));
    const { provider } = await answering({ stream: pieces });
    expect((await turn(provider)).message.content).toBe('Grüße, 世界 🐢');
  });

  it('are over with [DONE], though the connection stays open', async () => {
    const { provider } = await answering({
      stream: saying('hi'),
      beforeEnd: new Promise(() => undefined),
    });
    expect((await turn(provider)).status).toEqual({ kind: 'success' });
  });

  it('give back signed thinking to the server it came from', async () => {
    const detail = { type: 'reasoning.text', index: 0, format: 'anthropic-claude-v1' };
    const { server, provider } = await answering({
      stream: [
        event(chunk({ reasoning_details: [{ ...detail, text: 'Let me ' }] })),
        event(chunk({ reasoning_details: [{ ...detail, text: 'see', signature: 'abc' }] })),
        event(
          chunk({
            tool_calls: [
              {
                index: 0,
                id: 'a',
                function: { name: 'write_file', arguments: '{}' },
                extra_content: { google: { thought_signature: 'xyz' } },
              },
            ],
          }),
        ),
        event(chunk({}, 'tool_calls')),
        DONE,
      ].join(''),
    });
    const { message } = await turn(provider, { tools: [WRITE_FILE] });
    await turn(provider, { tools: [WRITE_FILE], messages: [message] });
    expect(server.chat(1).messages[0]).toMatchObject({
      reasoning_details: [{ ...detail, text: 'Let me see', signature: 'abc' }],
      tool_calls: [{ id: 'a', extra_content: { google: { thought_signature: 'xyz' } } }],
    });
  });
});

describe('patience', () => {
  afterEach(() => vi.useRealTimers());

  it('outlasts a server that loads its model for an hour before it sends headers', async () => {
    let load = (): void => undefined;
    const beforeHeaders = new Promise<void>((resolve) => {
      load = resolve;
    });
    const { server, provider } = await answering({ stream: saying('hi'), beforeHeaders });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const running = turn(provider);
    await server.whenChat(1);
    await vi.advanceTimersByTimeAsync(3_600_000);
    load();
    expect((await running).status).toEqual({ kind: 'success' });
    expect(server.chats).toHaveLength(1);
  });
});

describe('an abort', () => {
  it('of one request leaves the next one alone', async () => {
    const { server, provider } = await answeringInTurn([
      { stream: '', beforeHeaders: new Promise(() => undefined) },
      { stream: saying('hi') },
    ]);
    const caller = new AbortController();
    const first = turn(provider, {}, caller.signal);
    await server.whenChat(1);
    caller.abort();
    await first;
    expect((await turn(provider)).status).toEqual({ kind: 'success' });
  });
});

describe('the base URL', () => {
  it.each([
    ['', '/v1/chat/completions'],
    ['/', '/v1/chat/completions'],
    ['/v1/', '/v1/chat/completions'],
    ['/api/v1', '/api/v1/chat/completions'],
    ['/v1/chat/completions', '/v1/chat/completions'],
    ['/openai?api-version=2026-01', '/openai/chat/completions?api-version=2026-01'],
  ])('with "%s" behind the host leads to %s', async (path, wanted) => {
    const fake = await answering({ stream: saying('hi') });
    const root = fake.server.url.replace(/\/v1$/, '').replace('http://', '');
    const { openAiProvider } = await import('../../../src/llm/openai/openai-provider.ts');
    const provider = openAiProvider({ baseUrl: `${root}${path}` });
    expect((await turn(provider)).status).toEqual({ kind: 'success' });
    await provider.close();
    expect(fake.server.requests).toEqual([`POST ${wanted}`]);
  });

  it('with a user in it signs in with that, and shows it nowhere', async () => {
    const { server } = await answering(openAiError(500, 'down'));
    const { openAiProvider } = await import('../../../src/llm/openai/openai-provider.ts');
    const provider = openAiProvider({ baseUrl: server.url.replace('://', '://ada:secret@') });
    const { detail } = await turn(provider);
    await provider.close();
    expect(server.headers[0]?.authorization).toBe(`Basic ${btoa('ada:secret')}`);
    expect(detail).not.toMatch(/secret/);
  });
});
