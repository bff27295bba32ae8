import { describe, expect, test } from 'vitest';
import * as library from '../../../src/index.ts';
import type { LanguageModelLike } from '../../../src/llm/language-model/contract.ts';
import { fromLanguageModel } from '../../../src/llm/language-model/language-model.ts';
import type { ModelEvent, ModelRequest } from '../../../src/schema/model/turn.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

type Part = { readonly type: string; readonly [field: string]: unknown };

/** What streams of each specification look like, as its packages make them. */
const SHAPES = {
  v2: {
    finish: (reason: string) => ({
      ...{ type: 'finish', finishReason: reason },
      usage: {
        inputTokens: 100,
        outputTokens: 30,
        totalTokens: 130,
        reasoningTokens: 10,
        cachedInputTokens: 40,
      },
    }),
    usage: { input: 60, output: 20, thinking: 10, cacheRead: 40, cacheWrite: 0 },
    raw: 'stop',
    further: [{ type: 'raw', rawValue: {} }],
  },
  v3: {
    finish: (unified: string) => ({
      ...{ type: 'finish', finishReason: { unified, raw: 'STOP' } },
      usage: {
        inputTokens: { total: 100, noCache: 55, cacheRead: 40, cacheWrite: 5 },
        outputTokens: { total: 30, text: 20, reasoning: 10 },
      },
    }),
    usage: { input: 55, output: 20, thinking: 10, cacheRead: 40, cacheWrite: 5 },
    raw: 'STOP',
    further: [{ type: 'tool-approval-request', approvalId: 'a', toolCallId: 'x' }],
  },
  v4: {
    finish: (unified: string) => ({
      ...{ type: 'finish', finishReason: { unified, raw: undefined } },
      usage: {
        inputTokens: { total: 100, noCache: undefined, cacheRead: 40, cacheWrite: undefined },
        outputTokens: { total: 30, text: undefined, reasoning: 10 },
        raw: { prompt_tokens: 100 },
      },
    }),
    usage: { input: 60, output: 20, thinking: 10, cacheRead: 40, cacheWrite: 0 },
    raw: 'stop',
    further: [{ type: 'ping' }, { type: 'custom', kind: 'acme.thing' }, { type: 'reasoning-file' }],
  },
} as const;
const VERSIONS = ['v2', 'v3', 'v4'] as const;
type Version = (typeof VERSIONS)[number];

interface Fake extends LanguageModelLike {
  readonly calls: { readonly [option: string]: unknown }[];
}

/** @param script the parts of each reply, or what it throws */
function fake(version: string, ...script: readonly (readonly Part[] | Error)[]): Fake {
  const calls: { readonly [option: string]: unknown }[] = [];
  return {
    ...{ specificationVersion: version, provider: 'acme.chat', modelId: 'big-1', calls },
    doStream: async (options) => {
      // A signal is not copied.
      const { abortSignal: _signal, ...rest } = options as { readonly abortSignal: AbortSignal };
      calls.push(structuredClone(rest));
      const reply = script[calls.length - 1] ?? script.at(-1) ?? [];
      if (reply instanceof Error) throw reply;
      const stream = new ReadableStream({
        start: (controller) => {
          for (const part of reply) controller.enqueue(part);
          controller.close();
        },
      });
      return { stream, request: {}, response: {} };
    },
  };
}

const REQUEST: ModelRequest = {
  model: 'big-1',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Look.' },
  ],
  tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }],
  ...{ temperature: 0.2, seed: 7, contextWindow: 8000, maxOutputTokens: 500 },
};

async function ask(
  model: LanguageModelLike,
  request = REQUEST,
  signal = new AbortController().signal,
) {
  const events: ModelEvent[] = [];
  for await (const event of fromLanguageModel(model).stream(request, signal)) events.push(event);
  return events;
}

const textParts = (text: string): Part[] => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: text },
  { type: 'text-end', id: 't' },
];

const thinking = (version: Version): Part[] => [
  { type: 'stream-start', warnings: [] },
  { type: 'response-metadata', id: 'r', modelId: 'big-1' },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'I ' },
  { type: 'reasoning-delta', id: 'r', delta: 'look.' },
  { type: 'reasoning-end', id: 'r', providerMetadata: { acme: { signature: 'S1' } } },
  ...textParts('So.'),
  { type: 'tool-input-start', id: 'c1', toolName: 'look' },
  { type: 'tool-input-delta', id: 'c1', delta: '{"at"' },
  { type: 'tool-input-delta', id: 'c1', delta: ':1}' },
  { type: 'tool-input-end', id: 'c1' },
  {
    ...{ type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: '{"at":1}' },
    providerMetadata: { acme: { thoughtSignature: 'S2' } },
  },
  { type: 'tool-call', toolCallId: 's', toolName: 'web', input: '{}', providerExecuted: true },
  ...SHAPES[version].further,
  SHAPES[version].finish('tool-calls'),
];

test('a stream that has but a reader is read, and let go', async () => {
  const said = [...textParts('So.'), SHAPES.v3.finish('stop')];
  const releaseLock = () => void said.push({ type: 'free' });
  const read = async () => ({ done: false, value: said.shift() });
  const stream = { getReader: () => ({ read, cancel: async () => {}, releaseLock }) };
  const events = await ask({ ...fake('v3'), doStream: async () => ({ stream }) });
  expect([...events, ...said].map(({ type }) => type)).toEqual(['text', 'finished', 'free']);
});

describe.each(VERSIONS)('a model of specification %s', (version) => {
  test('streams text, thoughts and whole calls, and counts each token once', async () => {
    const events = await ask(fake(version, thinking(version)));
    const call = { id: 'c1', name: 'look', args: { at: 1 } };
    const { finish: _finish, usage } = SHAPES[version];
    expect(events).toEqual([
      { type: 'thinking', text: 'I ' },
      { type: 'thinking', text: 'look.' },
      { type: 'text', text: 'So.' },
      { type: 'tool_call_started', index: 0, name: 'look' },
      { type: 'tool_call_arguments', index: 0, text: '{"at"' },
      { type: 'tool_call_arguments', index: 0, text: ':1}' },
      { type: 'tool_call', call },
      { type: 'opaque', blocks: expect.any(Array) },
      {
        ...{ type: 'finished', reason: 'tool_calls' },
        rawReason: version === 'v3' ? 'STOP' : 'tool-calls',
        usage: { ...usage, modelMs: expect.any(Number) },
      },
    ]);
  });

  test('is asked with the conversation, the tools and the settings', async () => {
    const model = fake(version, [...textParts('Yes.'), SHAPES[version].finish('stop')]);
    await ask(model, { ...REQUEST, effort: 'low' });
    expect(model.calls[0]).toEqual({
      prompt: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
      ],
      ...{ maxOutputTokens: 500, temperature: 0.2, seed: 7, toolChoice: { type: 'auto' } },
      tools: [
        {
          ...{ type: 'function', name: 'look', description: 'Looks.' },
          inputSchema: { type: 'object', properties: {} },
        },
      ],
      ...(version === 'v4' ? { reasoning: 'low' } : {}),
    });
  });

  test('gets back what only its provider reads, at the parts that it stood at', async () => {
    const events = await ask(fake(version, thinking(version)));
    const [opaque] = events.flatMap((event) => (event.type === 'opaque' ? [event.blocks] : []));
    const model = fake(version, [...textParts('Done.'), SHAPES[version].finish('stop')]);
    const toolCalls = [{ id: 'c1', name: 'look', args: { at: 1 } }];
    // As the journal has it.
    const blocks: unknown = JSON.parse(JSON.stringify(opaque));
    const replied = { role: 'assistant', content: 'So.', thinking: 'I look.', toolCalls } as const;
    const result = { role: 'tool', toolCallId: 'c1', toolName: 'look', content: 'seen' } as const;
    const asked = async (provider: string) => {
      const assistant = { ...replied, opaque: { provider, blocks } };
      await ask(model, { ...REQUEST, messages: [...REQUEST.messages, assistant, result] });
      return (model.calls.at(-1) as { prompt: readonly unknown[] }).prompt.slice(2);
    };
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { at: 1 } };
    const output = { type: 'text', value: 'seen' };
    const told = { type: 'tool-result', toolCallId: 'c1', toolName: 'look', output };
    expect(await asked('acme.chat')).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'I look.', providerOptions: { acme: { signature: 'S1' } } },
          { type: 'text', text: 'So.' },
          { ...call, providerOptions: { acme: { thoughtSignature: 'S2' } } },
        ],
      },
      { role: 'tool', content: [told] },
    ]);
    // Another provider would refuse it.
    expect(await asked('other')).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'So.' }, call] },
      { role: 'tool', content: [told] },
    ]);
  });

  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content-filter', 'refusal'],
    ['error', 'other'],
    ['what is new', 'other'],
    ['constructor', 'other'],
  ])('ends for a reason: %s', async (told, reason) => {
    const events = await ask(fake(version, [SHAPES[version].finish(told)]));
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason });
  });
});

/** As `APICallError` of the SDK. */
const apiError = (statusCode: number | undefined, more: object = {}): Error =>
  Object.assign(new Error('the server says no'), {
    ...{ name: 'AI_APICallError', url: 'https://x', statusCode, isRetryable: false, ...more },
  });

const SPENT =
  '{"error":{"message":"You exceeded your quota","type":"insufficient_quota","code":"insufficient_quota"}}';

describe('what goes wrong', () => {
  test.each<[string, Error, object]>([
    ['a key', apiError(401), { kind: 'auth_failed' }],
    ['no credit', apiError(402), { kind: 'quota_exceeded' }],
    [
      'too many requests',
      apiError(429, { isRetryable: true, responseHeaders: { 'Retry-After': '3' } }),
      { kind: 'rate_limited', retryAfterMs: 3000 },
    ],
    ['a server', apiError(500, { isRetryable: true }), { kind: 'model_error', retryable: true }],
    ['a server for good', apiError(500), { kind: 'model_error', retryable: false }],
    ['a gateway', apiError(502, { isRetryable: true }), { kind: 'network_error', retryable: true }],
    ['no model', apiError(404), { kind: 'model_error', retryable: false }],
    [
      'no credit, by its name',
      apiError(429, { isRetryable: true, responseBody: SPENT }),
      { kind: 'quota_exceeded' },
    ],
    [
      'a prompt that is too long',
      apiError(400, { responseBody: "This model's maximum context length is 8192 tokens." }),
      { kind: 'context_overflow', windowTokens: 8192 },
    ],
    [
      'no server',
      apiError(undefined, {
        isRetryable: true,
        cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
      }),
      { kind: 'network_error', retryable: true },
    ],
    ['the package', new Error('a bug'), { kind: 'model_error', retryable: false }],
  ])('%s has its status', async (_what, error, status) => {
    await expect(ask(fake('v3', error))).rejects.toMatchObject({ name: 'ProviderError', status });
    // The same in the middle of an answer.
    const model = fake('v3', [...textParts('So'), { type: 'error', error }]);
    await expect(ask(model)).rejects.toMatchObject({ name: 'ProviderError', status });
  });

  /** As `@ai-sdk/openai-compatible` throws it once an answer has begun, 1.x, 2.x and 3.x alike. */
  const broken = (cause?: Error): Error =>
    Object.assign(new Error('Failed to process successful response', { cause }), {
      ...{ name: 'AI_APICallError', statusCode: 200, isRetryable: true },
    });
  const terminated = new TypeError('terminated', {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  });
  const unreadable = (name: string): Error =>
    Object.assign(new Error('Text: {oops.\nError message: Expected a name'), { name });

  test.each<[string, unknown, object, string]>([
    [
      'a connection that is cut',
      broken(terminated),
      { kind: 'network_error', retryable: true },
      'The connection to acme.chat big-1 was cut.',
    ],
    ['an answer that is none', broken(), { kind: 'invalid_response' }, 'cannot be read'],
    [
      'a piece that is no JSON',
      unreadable('AI_JSONParseError'),
      { kind: 'invalid_response' },
      'cannot be read: Text: {oops.',
    ],
    [
      'an end without a reason',
      unreadable('AI_InvalidResponseDataError'),
      { kind: 'invalid_response' },
      'cannot be read',
    ],
    [
      'a server that breaks down',
      { message: 'It is overloaded.', type: 'server_error', param: null, code: null },
      { kind: 'model_error', retryable: true },
      'acme.chat big-1 failed (500 in mid-answer): It is overloaded.',
    ],
    [
      'a server that says no more than that',
      'Something broke.',
      { kind: 'model_error', retryable: true },
      'acme.chat big-1 failed (in mid-answer): Something broke.',
    ],
    [
      'a server that is asked too often',
      { message: 'Slow down.', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
      { kind: 'rate_limited' },
      'Slow down.',
    ],
    [
      'a server whose code the package tells',
      { message: 'Overloaded', type: 'overloaded_error', statusCode: 529, isRetryable: true },
      { kind: 'rate_limited' },
      '(529 in mid-answer): Overloaded',
    ],
    [
      'what stands before the server',
      { type: 'error', error: { message: 'Provider returned error', code: 502 } },
      { kind: 'network_error', retryable: true },
      'Provider returned error',
    ],
  ])('in the middle of an answer, %s has its status', async (_what, error, status, words) => {
    const asked = ask(fake('v4', [...textParts('So'), { type: 'error', error }]));
    await expect(asked).rejects.toMatchObject({
      ...{ name: 'ProviderError', status },
      message: expect.stringContaining(words),
    });
    await expect(asked).rejects.not.toMatchObject({ message: expect.stringContaining('\n') });
  });

  test('an answer without an end, and arguments that are none', async () => {
    await expect(ask(fake('v2', textParts('So')))).rejects.toMatchObject({
      status: { kind: 'network_error', retryable: true },
    });
    for (const input of ['{"at":', '[1]', '7']) {
      const call = { type: 'tool-call', toolCallId: 'c', toolName: 'look', input };
      await expect(ask(fake('v2', [call]))).rejects.toMatchObject({
        status: { kind: 'invalid_response' },
      });
    }
  });

  test('a request that is stopped', async () => {
    const stopped = AbortSignal.abort();
    const error = Object.assign(new Error('aborted'), { name: 'AbortError' });
    await expect(ask(fake('v4', error), REQUEST, stopped)).rejects.toMatchObject({
      status: { kind: 'aborted' },
    });
  });

  test.each([['v1'], ['v5'], [7]])('a model of specification %s', (version) => {
    expect(() => fromLanguageModel(fake(version as string))).toThrow(/specification/);
  });
});

test('an answer in a form is asked for in words, too: not every provider holds it', async () => {
  const model = fake('v3', [...textParts('{}'), SHAPES.v3.finish('stop')]);
  const { tools: _tools, ...plain } = REQUEST;
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  await ask(model, { ...plain, responseSchema: schema });
  expect(model.calls[0]?.responseFormat).toEqual({ type: 'json', name: 'answer', schema });
  expect(JSON.stringify(model.calls[0]?.prompt)).toContain('JSON Schema');
});

test('a run takes such a model in the place of a name, and knows it by its name', async () => {
  const plan = {
    tasks: [{ description: 'say it', subtasks: [{ do: 'answer' }] }],
    answer_only: true,
  };
  const call = (name: string, args: object): Part[] => [
    { type: 'tool-call', toolCallId: `${name}-1`, toolName: name, input: JSON.stringify(args) },
    SHAPES.v3.finish('tool-calls'),
  ];
  const done = { success: true, reason: 'said', answer: 'Hello.' };
  const model = fake('v3', call('set_plan', plan), call('mark_subtask_complete', done));
  const outcome = await library.runGoal({
    ...{ goal: 'Say hello', workspace: WORKSPACE, machine: testWorld().machine(), model },
  });
  expect(outcome.answer).toBe('Hello.');
  expect(outcome.state.settings).toMatchObject({
    provider: 'acme.chat',
    model: 'big-1',
    driver: 'free',
  });
});
