import { describe, expect, it, vi } from 'vitest';
import { CLAUDE, wireModel } from '../../support/fake-anthropic.ts';
import { WRITE_FILE } from '../support.ts';
import { answering, connect } from './support.ts';

const call = (path: string, id = 'toolu_01') => ({
  type: 'tool_use',
  id,
  name: 'write_file',
  input: { path, content: 'hi' },
});

describe('the request on the wire', () => {
  it('has no sampling parameters, the system prompt apart, and repeats to the byte', async () => {
    const { ask, server } = await answering({ content: 'hi' });
    await ask();
    await ask();
    const mark = { cache_control: { type: 'ephemeral' } };
    expect(server.body(0)).toEqual({
      model: CLAUDE,
      max_tokens: 512,
      stream: true,
      thinking: { type: 'disabled' },
      system: [{ type: 'text', text: 'You work on files.', ...mark }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Say hello.', ...mark }] }],
    });
    expect(server.raw[1]).toBe(server.raw[0]);
  });

  it('says that temperature and seed are ignored', async () => {
    const { provider } = await connect();
    expect(provider.ignores?.(CLAUDE)).toEqual(['temperature', 'seed']);
  });

  it('asks for no longer answer than the model gives', async () => {
    const { ask, server } = await connect({ models: [wireModel(CLAUDE, {}, { max_tokens: 100 })] });
    await ask();
    expect(server.body(0).max_tokens).toBe(100);
  });

  it('asks the server once what the model can', async () => {
    const { ask, server } = await connect();
    await ask();
    await ask();
    expect(server.requests).toEqual([
      `GET /v1/models/${CLAUDE}`,
      'POST /v1/messages',
      'POST /v1/messages',
    ]);
  });

  it('uses one connection for successive turns', async () => {
    const { ask, server } = await connect();
    await ask();
    await ask();
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  it('warns nobody about a model that will be retired', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { ask } = await connect({ models: null });
    expect((await ask({ model: 'claude-sonnet-4-5' })).status).toEqual({ kind: 'success' });
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});

describe('thinking', () => {
  it('is left to a model that always thinks, with room for it in the limit', async () => {
    const { ask, server } = await connect({ models: [wireModel(CLAUDE, { thinking: 'always' })] });
    await ask();
    expect(server.body(0).thinking).toBeUndefined();
    expect(server.body(0).max_tokens).toBe(512 + 8192);
  });

  it('can be asked for', async () => {
    const { ask, server } = await connect({}, { thinking: 'adaptive' });
    await ask();
    expect(server.body(0).thinking).toEqual({ type: 'adaptive' });
    expect(server.body(0).max_tokens).toBe(512 + 8192);
  });

  it('is not mentioned to a model that cannot, nor to one nobody described', async () => {
    const { ask, server } = await connect({ models: [wireModel(CLAUDE, { thinking: 'none' })] });
    await ask();
    const untold = await connect({ models: null });
    await untold.ask();
    expect(server.body(0).thinking).toBeUndefined();
    expect(untold.server.body(0).thinking).toBeUndefined();
  });
});

describe('the answer', () => {
  it('comes as events while it is written', async () => {
    const { ask } = await answering({
      content: 'Writing it.',
      blocks: [call('a.txt')],
      pieceLength: 100,
    });
    const { events, message, status } = await ask({ tools: [WRITE_FILE] });
    expect(status).toEqual({ kind: 'success' });
    expect(events.map((event) => event.type)).toEqual([
      'usage',
      'text',
      'tool_call_started',
      'tool_call_arguments',
      'usage',
      'tool_call',
      'finished',
    ]);
    expect(message).toEqual({
      role: 'assistant',
      content: 'Writing it.',
      toolCalls: [{ id: 'toolu_01', name: 'write_file', args: { path: 'a.txt', content: 'hi' } }],
    });
  });

  it('may hold several calls, also without arguments, also given whole at their start', async () => {
    const { ask } = await answering({
      blocks: [
        call('a.txt'),
        { type: 'tool_use', id: 'toolu_02', name: 'list_dir', input: {} },
        { ...call('b.txt', 'toolu_03'), whole: true },
      ],
    });
    const { message } = await ask({ tools: [WRITE_FILE] });
    expect(message.toolCalls?.map(({ id, args }) => [id, args.path])).toEqual([
      ['toolu_01', 'a.txt'],
      ['toolu_02', undefined],
      ['toolu_03', 'b.txt'],
    ]);
  });

  it('has no calls unless the model ended with them', async () => {
    for (const stopReason of ['max_tokens', 'end_turn', 'stop_sequence', 'refusal']) {
      const { ask } = await answering({ content: 'x', blocks: [call('a')], stopReason });
      const { message, events } = await ask({ tools: [WRITE_FILE] });
      expect(message.toolCalls, stopReason).toBeUndefined();
      expect(events.some((event) => event.type === 'tool_call')).toBe(false);
    }
  });

  it('gives calls ids that no other call of the conversation has', async () => {
    const { ask } = await answering({ blocks: [call('a'), call('b'), call('c', '')] });
    const { message } = await ask({
      tools: [WRITE_FILE],
      messages: [
        { role: 'user', content: 'Go' },
        { role: 'assistant', content: '', toolCalls: [{ id: 'toolu_01', name: 'x', args: {} }] },
        { role: 'tool', toolCallId: 'toolu_01', toolName: 'x', content: 'ok' },
      ],
    });
    expect(message.toolCalls?.map(({ id }) => id)).toEqual([
      'toolu_01_2',
      'toolu_01_3',
      'call_3_3',
    ]);
  });

  it('takes events and blocks nobody told of for nothing', async () => {
    const events = [
      { type: 'message_start', message: { usage: { input_tokens: 3 } } },
      { type: 'new_event', x: 1 },
      { type: 'content_block_start', index: 0, content_block: { type: 'new_block' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'new_delta' } },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'hello' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation: {} } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ];
    const raw = events
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('');
    const { ask } = await answering({ raw });
    expect((await ask()).message.content).toBe('hello');
  });

  it('keeps every class of tokens apart', async () => {
    // When it was asked, when it first told its counts, when it told them again, and its end.
    const ticks = [1000, 1200, 1700, 1750];
    const clock = { monotonic: () => ticks.shift() ?? 0 };
    const { ask } = await answering(
      {
        content: 'hello',
        usage: { cache_creation_input_tokens: 300, cache_read_input_tokens: 5000 },
        lastUsage: {
          input_tokens: null,
          output_tokens: 120,
          output_tokens_details: { thinking_tokens: 100 },
        },
      },
      {},
      { clock },
    );
    expect((await ask()).usage).toEqual({
      input: 25,
      output: 20,
      thinking: 100,
      cacheRead: 5000,
      cacheWrite: 300,
      modelMs: 750,
    });
  });
});

describe('an answer held to a schema', () => {
  const object = {
    type: 'object',
    properties: { n: { type: 'integer', minimum: 1 }, note: { type: 'string', maxLength: 9 } },
    required: ['n'],
  };
  const strictObject = {
    type: 'object',
    properties: { n: { type: 'integer' }, note: { type: 'string' } },
    required: ['n'],
    additionalProperties: false,
  };
  const choice = { anyOf: [object, { ...object, required: ['note'] }] };
  const wrapped = {
    type: 'object',
    properties: { answer: { anyOf: [strictObject, { ...strictObject, required: ['note'] }] } },
    required: ['answer'],
    additionalProperties: false,
  };
  const withoutSchema = { models: [wireModel(CLAUDE, { schema: false })] };
  const answerCall = (input: unknown) => ({
    type: 'tool_use',
    id: 'toolu_9',
    name: 'answer',
    input,
  });

  it('is asked for by the means of the API', async () => {
    const { ask, server } = await answering({ content: '{"n":1}' });
    const { message, status } = await ask({ responseSchema: object });
    expect(status).toEqual({ kind: 'success' });
    expect(message.content).toBe('{"n":1}');
    expect(server.body(0).output_config).toEqual({
      format: { type: 'json_schema', schema: strictObject },
    });
    expect(server.body(0).tools).toBeUndefined();
  });

  it('stands beside the effort that is asked for, with room for thoughts', async () => {
    const { ask, server } = await answering({ content: '{"n":1}' });
    await ask({ responseSchema: object, effort: 'high' });
    expect(server.body(0)).toMatchObject({
      max_tokens: 512 + 8192,
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high', format: { type: 'json_schema' } },
    });
  });

  it('goes without an effort that the server refuses', async () => {
    const { ask, server } = await connect({
      script: (body) =>
        body.output_config?.effort
          ? {
              error: {
                status: 400,
                body: '{"type":"error","error":{"type":"invalid_request_error","message":"output_config.effort: this model does not support effort"}}',
              },
            }
          : { content: '{"n":1}' },
    });
    expect((await ask({ responseSchema: object, effort: 'low' })).message.content).toBe('{"n":1}');
    expect(server.body(server.raw.length - 1).output_config).toMatchObject({ format: {} });
  });

  it('is unwrapped where the schema is a choice', async () => {
    const { ask, server } = await answering({ content: '{"answer":{"n":2}}' });
    const { message, events } = await ask({ responseSchema: choice });
    expect(message.content).toBe('{"n":2}');
    expect(events.filter((event) => event.type === 'text').length).toBeGreaterThan(1);
    expect(server.body(0).output_config?.format.schema).toEqual(wrapped);
  });

  it('is shown as it is where it cannot be unwrapped', async () => {
    const { ask } = await answering({ content: '{"answer":{"n', stopReason: 'max_tokens' });
    const { message, status } = await ask({ responseSchema: choice });
    expect(status).toEqual({ kind: 'truncated' });
    expect(message.content).toBe('{"answer":{"n');
  });

  it.each([
    ['an object', object, strictObject, { n: 3 }],
    ['a choice', choice, wrapped, { answer: { n: 3 } }],
  ])(
    'is the input of a tool where the model has no such means: %s',
    async (_, wanted, sent, input) => {
      const { ask, server } = await answering({ blocks: [answerCall(input)] }, withoutSchema);
      const { message, status } = await ask({ responseSchema: wanted });
      expect(status).toEqual({ kind: 'success' });
      expect(message).toEqual({ role: 'assistant', content: '{"n":3}' });
      expect(server.body(0)).toMatchObject({
        tools: [{ name: 'answer', input_schema: sent }],
        tool_choice: { type: 'tool', name: 'answer' },
      });
      expect(server.body(0).output_config).toBeUndefined();
    },
  );

  it('is the input of a tool for a model that nobody describes and that is none of theirs', async () => {
    const reply = { blocks: [answerCall({ n: 3 })], stopReason: 'tool_use' };
    const { ask, server } = await answering(reply, { models: null });
    const { message } = await ask({ model: 'qwen2.5-coder-0.5b', responseSchema: object });
    expect(message.content).toBe('{"n":3}');
    expect(server.body(0)).toMatchObject({ tool_choice: { type: 'tool', name: 'answer' } });
    expect(server.body(0).output_config).toBeUndefined();
  });

  it('cut off within the tool, it is truncated', async () => {
    const reply = { blocks: [answerCall('{"n": 1')], stopReason: 'max_tokens' };
    const { ask } = await answering(reply, withoutSchema);
    expect((await ask({ responseSchema: object })).status).toEqual({ kind: 'truncated' });
  });

  it('is asked for by a tool once the server has refused its own means, and stays so', async () => {
    const { ask, server } = await connect({
      models: null,
      script: (body) =>
        body.output_config
          ? {
              error: {
                status: 400,
                body: '{"type":"error","error":{"type":"invalid_request_error","message":"output_config: Extra inputs are not permitted"}}',
              },
            }
          : { blocks: [answerCall({ n: 4 })] },
    });
    expect((await ask({ responseSchema: object })).message.content).toBe('{"n":4}');
    expect((await ask({ responseSchema: object })).message.content).toBe('{"n":4}');
    expect(server.raw).toHaveLength(3);
  });
});
