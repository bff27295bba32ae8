// Every answer of a real llama.cpp server, played whole over HTTP, and what we make of it.
import { describe, expect, it } from 'vitest';
import type { TurnStatus } from '../../../src/schema/model/turn.ts';
import {
  recordedAnswer,
  recordedOpenAiReply,
  recordedPieces,
  type WireRecording,
  wireRecordings,
} from '../../support/fake-recorded-wire.ts';
import { turn, WRITE_FILE } from '../support.ts';
import { AUTH, CRASHED, CUT, FAILED, OVERFLOW } from './error-rows.ts';
import { answering, connect } from './support.ts';

type Expected = Readonly<Record<string, unknown>>;

const SUCCESS: TurnStatus = { kind: 'success' };
const HELLO = { status: SUCCESS, message: { role: 'assistant', content: 'Hello!' } };
const CALLED = { path: 'a.txt', content: 'Hä "x"' };
const usage = (input: number, output: number, cacheRead: number, modelMs: number) => ({
  usage: { input, output, thinking: 0, cacheRead, cacheWrite: 0, modelMs },
});

const ANSWERS: Readonly<Partial<Record<WireRecording, Expected>>> = {
  chat_said: { ...HELLO, rawReason: 'stop', ...usage(25, 3, 0, 102_776) },
  chat_said_again: { ...HELLO, rawReason: 'stop', ...usage(1, 3, 24, 120_568) },
  chat_whole: { ...HELLO, rawReason: 'stop' },
  chat_without_usage: { ...HELLO, rawReason: 'stop', ...usage(0, 0, 0, 358) },
  chat_logprobs: { ...HELLO, rawReason: 'stop' },
  chat_stop_word: { status: SUCCESS, message: { role: 'assistant', content: 'Hell' } },
  chat_call: {
    status: SUCCESS,
    message: {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: '3Gd59mLUMNkxH16AjzlDlGYt591rZSzB', name: 'write_file', args: CALLED }],
    },
    rawReason: 'tool_calls',
  },
  chat_call_whole: {
    status: SUCCESS,
    message: { toolCalls: [{ id: expect.any(String), name: 'write_file', args: CALLED }] },
    rawReason: 'tool_calls',
  },
  chat_schema: {
    status: SUCCESS,
    message: { role: 'assistant', content: '{\n  "colour": "red",\n  "is_warm": true\n}' },
    ...usage(18, 22, 24, 3612),
  },
};

const CUT_OFF = { status: { kind: 'truncated' }, rawReason: 'length' };

const UNFINISHED: Readonly<Partial<Record<WireRecording, Expected>>> = {
  chat_killed: { status: CUT },
  chat_length: CUT_OFF,
  chat_call_cut_by_length: CUT_OFF,
};

const REFUSALS: readonly (readonly [RegExp, TurnStatus, RegExp])[] = [
  [/^chat_overflow/, OVERFLOW, /does not fit.*630 tokens.*256 tokens/],
  [/^locked/, AUTH, /refuses the API key \(401\): Invalid API Key/],
  [/^loading/, { kind: 'rate_limited', retryAfterMs: 15_000 }, /still loading/],
  [/^(unknown_path|one_model)/, FAILED, /not an OpenAI-compatible API/],
  [/^refused_no_role|_arguments_|_tools_of/, CRASHED, /failed \(500\).*Failed to parse/],
  [/^refused_no_(json|body)/, FAILED, /\(400\).*parse error/],
  [/^refused_/, FAILED, /refused the request \(400\)/],
];

const said = wireRecordings.filter((name) => name in ANSWERS);
const refused = wireRecordings.filter((name) => {
  const { status, contentType } = recordedAnswer(name);
  return status !== 200 && contentType !== null && !name.startsWith('message_');
});

const ask = async (name: WireRecording) => {
  const { provider } = await answering(recordedOpenAiReply(name));
  return await turn(provider, { tools: [WRITE_FILE] });
};

describe('a recorded answer is what it was', () => {
  it.each(said)('%s', async (name) => {
    expect(await ask(name)).toMatchObject(ANSWERS[name] ?? {});
  });

  it.each(said)('%s: also a byte at a time', async (name) => {
    const { body, contentType } = recordedAnswer(name);
    const headers = { 'content-type': contentType ?? '' };
    const stream = [...Buffer.from(body)].map((byte) => Uint8Array.of(byte));
    const { provider } = await answering({ stream, headers });
    expect(await turn(provider)).toMatchObject(ANSWERS[name] ?? {});
  });
});

describe('a recorded answer that was not finished', () => {
  it.each(wireRecordings.filter((name) => name in UNFINISHED))('%s', async (name) => {
    const result = await ask(name);
    expect(result).toMatchObject(UNFINISHED[name] ?? {});
    expect(result.message.toolCalls).toBeUndefined();
  });
});

describe('a recorded refusal has its status, and says why', () => {
  it.each(refused)('%s', async (name) => {
    const row = REFUSALS.find(([names]) => names.test(name));
    expect(row, 'what is expected of it').toBeDefined();
    const { status, told } = await ask(name);
    expect({ status, told }).toMatchObject({
      status: row?.[1],
      told: expect.stringMatching(row?.[2] ?? ''),
    });
  });

  it.each(['refused_schema_type', 'refused_schema_ref'] as const)(
    '%s: the shape is asked for in another way',
    async (name) => {
      const replies = [recordedOpenAiReply(name), recordedOpenAiReply('chat_said')];
      const { provider, server } = await connect({
        script: (_, n) => replies[n - 1] ?? { stream: '' },
      });
      const responseSchema = { type: 'object', properties: { n: { type: 'integer' } } };
      expect((await turn(provider, { responseSchema })).status).toEqual(SUCCESS);
      expect(server.chat(1).response_format).toEqual({ type: 'json_object' });
    },
  );
});

describe('a recorded stream that breaks', () => {
  it.each([1, 2, 3])('behind its piece %i: the connection was cut', async (count) => {
    const stream = recordedPieces(recordedAnswer('chat_schema')).slice(0, count);
    const { provider } = await answering({ stream, isCut: true });
    expect((await turn(provider)).status).toEqual(CUT);
  });
});

describe('what the server tells of itself', () => {
  const page = (name: WireRecording): unknown => JSON.parse(recordedAnswer(name).body);

  it.each([
    ['props', 4096],
    ['narrow_props', 256],
  ] as const)('%s: the window the model runs with', async (name, contextWindow) => {
    const { provider } = await connect({
      pages: { '/v1/models': page('models'), '/props': page(name) },
    });
    const signal = new AbortController().signal;
    expect(await provider.list(signal)).toEqual(['qwen2.5-coder-0.5b']);
    expect(await provider.describe('qwen2.5-coder-0.5b', signal)).toMatchObject({
      contextWindow,
      capabilities: { tools: true, schema: true, thinking: false },
    });
  });
});

describe('answers of other servers, in the shape they were seen in', () => {
  it('an error behind an answer that was called cut off leaves it cut off', async () => {
    const chunk = (choice: object, rest: object = {}) =>
      `data: ${JSON.stringify({
        id: 'gen-1795000000-a1b2c3',
        provider: 'A Provider',
        ...rest,
        model: 'm',
        object: 'chat.completion.chunk',
        created: 1_795_000_000,
        choices: [{ index: 0, ...choice, native_finish_reason: null, logprobs: null }],
      })}\n\n`;
    const delta = { role: 'assistant', content: 'half', reasoning: null, reasoning_details: [] };
    const error = { code: 400, message: 'Token limit reached' };
    const { provider } = await answering({
      stream: [
        ': OPENROUTER PROCESSING\n\n',
        chunk({ delta, finish_reason: null }),
        chunk({ delta: { ...delta, content: '' }, finish_reason: 'length' }),
        chunk({ delta: { role: 'assistant', content: '' }, finish_reason: null }, { error }),
        'data: [DONE]\n\n',
      ],
    });
    expect(await turn(provider)).toMatchObject({
      status: { kind: 'truncated' },
      message: { content: 'half' },
      rawReason: 'length',
    });
  });

  const whole = { role: 'assistant', content: '5 + 3 = **8**.' };
  it.each([
    ['whole, beside an empty delta', [{ delta: { role: 'assistant', content: '' } }]],
    [
      'streamed, and each time whole as well',
      [
        { delta: { role: 'assistant', content: '5 + 3' } },
        { delta: { role: 'assistant', content: ' = **8**.' } },
        { delta: { role: 'assistant', content: '' } },
      ],
    ],
  ])('a message that is %s, is said once', async (_, choices) => {
    const chunks = choices.map((choice, index) => ({
      id: '2344147e-6ffc-4499-85c3-03240bd44b5a',
      model: 'sonar',
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: whole,
          ...choice,
          finish_reason: index === choices.length - 1 ? 'stop' : null,
        },
      ],
    }));
    const stream = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
    const { provider } = await answering({ stream });
    expect((await turn(provider)).message.content).toBe('5 + 3 = **8**.');
  });
});
