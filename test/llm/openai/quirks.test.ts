import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/schema/model/turn.ts';
import type { OpenAiReply } from '../../support/fake-openai.ts';
import {
  fastApiError,
  llamaCppError,
  openAiError,
  openRouterError,
  plainError,
  saying,
} from '../../support/fake-openai-bodies.ts';
import { turn } from '../support.ts';
import { answering, answeringInTurn } from './support.ts';

const GOOD: OpenAiReply = { stream: saying('{"action":"x"}') };
const SCHEMA = { type: 'object', properties: { action: { type: 'string' } } };

describe('models that think alone', () => {
  it.each(['o3-mini', 'o1', 'gpt-5', 'gpt-5.1-codex'])(
    '%s gets no temperature and another limit',
    async (model) => {
      const { server, provider } = await answering(GOOD);
      await turn(provider, { model });
      expect(server.chat(0)).toMatchObject({ max_completion_tokens: 512 });
      expect(Object.keys(server.chat(0))).not.toContain('max_tokens');
      expect(Object.keys(server.chat(0))).not.toContain('temperature');
    },
  );

  it.each(['gpt-4o', 'gpt-5-chat-latest', 'openai/gpt-5', 'olmo-2'])(
    '%s gets both',
    async (model) => {
      const { server, provider } = await answering(GOOD);
      await turn(provider, { model });
      expect(server.chat(0)).toMatchObject({ max_tokens: 512, temperature: 0.2 });
    },
  );
});

type Row = readonly [
  name: string,
  refusal: OpenAiReply,
  changes: Partial<ModelRequest>,
  left: Record<string, unknown>,
];

const unsupported = (param: string, message: string): OpenAiReply =>
  openAiError(400, message, 'unsupported_parameter', { param });

const REFUSALS: readonly Row[] = [
  [
    'max_tokens',
    unsupported(
      'max_tokens',
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ),
    {},
    { max_tokens: undefined, max_completion_tokens: 512 },
  ],
  [
    'max_completion_tokens, which the name suggests',
    fastApiError(422, [{ loc: ['body', 'max_completion_tokens'], msg: 'Extra inputs' }]),
    { model: 'o9-home-made' },
    { max_tokens: 512, max_completion_tokens: undefined },
  ],
  [
    'a limit that is too large, OpenAI',
    unsupported(
      'max_tokens',
      'max_tokens is too large: 512. This model supports at most 256 completion tokens.',
    ),
    {},
    { max_tokens: 256 },
  ],
  [
    'a limit that is too large, DeepSeek',
    openAiError(400, 'Invalid max_tokens value, the valid range of max_tokens is [1, 128]'),
    {},
    { max_tokens: 128 },
  ],
  [
    'a limit that is too large, Groq',
    openAiError(400, '`max_tokens` must be less than or equal to `64`'),
    {},
    { max_tokens: 64 },
  ],
  [
    'temperature',
    unsupported(
      'temperature',
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    ),
    {},
    { temperature: undefined, seed: 7 },
  ],
  [
    'seed, Mistral',
    fastApiError(422, [{ type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs' }]),
    {},
    { temperature: 0.2, seed: undefined },
  ],
  [
    'stream_options',
    openAiError(400, 'Unrecognized request argument supplied: stream_options'),
    {},
    { stream_options: undefined },
  ],
  [
    'json_schema, OpenAI before 4o',
    openAiError(
      400,
      "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
    ),
    { responseSchema: SCHEMA },
    { response_format: { type: 'json_object' } },
  ],
  [
    'json_schema, DeepSeek',
    openAiError(400, 'This response_format type is unavailable now'),
    { responseSchema: SCHEMA },
    { response_format: { type: 'json_object' } },
  ],
  [
    'json_schema, no provider behind OpenRouter',
    openRouterError(404, 404, 'No endpoints found that can handle the requested parameters.'),
    { responseSchema: SCHEMA },
    { response_format: { type: 'json_object' } },
  ],
  [
    'a schema that makes no grammar, llama.cpp',
    llamaCppError(400, 'failed to parse grammar', 'invalid_request_error'),
    { responseSchema: SCHEMA },
    { response_format: { type: 'json_object' } },
  ],
];

describe('what a server refuses is left out, and that is remembered', () => {
  it.each(REFUSALS)('%s', async (_, refusal, changes, left) => {
    const { server, provider } = await answeringInTurn([refusal, GOOD]);
    expect((await turn(provider, changes)).status).toEqual({ kind: 'success' });
    await turn(provider, changes);
    expect(server.chats).toHaveLength(3);
    for (const [field, value] of Object.entries(left)) {
      expect(server.chat(1)[field], field).toEqual(value);
    }
    expect(server.chats[2]).toBe(server.chats[1]);
  });

  it('a schema ends up in words at the very end, the last thing before giving up', async () => {
    const { server, provider } = await answeringInTurn([
      openAiError(400, "response_format of type 'json_schema' is not supported"),
      plainError(400, "'response_format.type' must be 'json_schema' or 'text'"),
      GOOD,
    ]);
    await turn(provider, { responseSchema: SCHEMA });
    const [first, last] = server.chat(2).messages;
    expect(server.chat(2).response_format).toBeUndefined();
    expect(first).toEqual(server.chat(0).messages[0]);
    expect(last?.content).toMatch(/^Say hello\.\n\nAnswer with one JSON object/);
    expect(last?.content).toContain(JSON.stringify(SCHEMA));
  });

  it('effort is asked for, and no more where it is refused', async () => {
    const notices: string[] = [];
    const { server, provider } = await answeringInTurn(
      [
        unsupported('reasoning_effort', "'reasoning_effort' is not supported with this model"),
        GOOD,
      ],
      { onNotice: (notice) => notices.push(notice) },
    );
    await turn(provider, { effort: 'high' });
    expect(server.chat(0)).toMatchObject({ reasoning_effort: 'high' });
    expect(server.chat(1)).not.toHaveProperty('reasoning_effort');
    expect(notices.join()).toContain('takes no effort');
  });

  it('what one model refuses, another one still gets', async () => {
    const { server, provider } = await answeringInTurn([
      unsupported('temperature', "'temperature' is not supported"),
      GOOD,
    ]);
    await turn(provider, { model: 'a' });
    await turn(provider, { model: 'b' });
    expect(server.chat(2)).toMatchObject({ model: 'b', temperature: 0.2 });
  });

  it('is told once', async () => {
    const notices: string[] = [];
    const { provider } = await answeringInTurn(
      [unsupported('temperature', "'temperature' is not supported"), GOOD],
      { onNotice: (notice) => notices.push(notice) },
    );
    await turn(provider, { model: 'a' });
    await turn(provider, { model: 'a' });
    expect(notices).toEqual(['a takes no temperature: its own is used.']);
  });

  it('a server that refuses everything is asked a bounded number of times', async () => {
    const { server, provider } = await answering(
      openAiError(400, 'no temperature, no seed, no max_tokens, no stream_options, no json_schema'),
    );
    const result = await turn(provider, { responseSchema: SCHEMA });
    expect(result.status).toEqual({ kind: 'model_error', retryable: false });
    expect(server.chats.length).toBeLessThanOrEqual(8);
  });

  it('ids are made short for a server that wants nine characters, and stay the same', async () => {
    const { server, provider } = await answeringInTurn([
      openAiError(400, 'Tool call id was call_abc but must be a-z, A-Z, 0-9, with a length of 9.'),
      GOOD,
    ]);
    const toolCalls = [{ id: 'call_abc', name: 'list_dir', args: {} }];
    await turn(provider, {
      messages: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: '', toolCalls },
        { role: 'tool', toolCallId: 'call_abc', toolName: 'list_dir', content: 'ok' },
      ],
    });
    expect(server.chat(1).messages.slice(1)).toMatchObject([
      { tool_calls: [{ id: 'c00000001' }] },
      { tool_call_id: 'c00000001' },
    ]);
  });

  it('thinking goes back to a server that asks for it', async () => {
    const { server, provider } = await answeringInTurn([
      openAiError(400, 'Missing `reasoning_content` field in the assistant message at index 1'),
      GOOD,
    ]);
    await turn(provider, {
      messages: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: 'x', thinking: 'hm' },
        { role: 'user', content: 'on' },
      ],
    });
    expect(server.chat(0).messages[1]).not.toHaveProperty('reasoning_content');
    expect(server.chat(1).messages[1]).toMatchObject({ reasoning_content: 'hm' });
  });

  it('another limit each time does not ask again without end', async () => {
    const atMost = [256, 300, 400, 500].map((tokens) =>
      openAiError(400, `max_tokens is too large. This model supports at most ${tokens} tokens.`),
    );
    const { provider } = await answeringInTurn([...atMost, GOOD]);
    expect((await turn(provider)).status.kind).toBe('model_error');
  });
});
