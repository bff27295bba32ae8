import { describe, expect, it } from 'vitest';
import { openAiProvider } from '../../../src/llm/openai/openai-provider.ts';
import {
  callDelta,
  chunk,
  DONE,
  event,
  midStream,
  openRouterError,
  saying,
} from '../../support/fake-openai-bodies.ts';
import { turn, WRITE_FILE } from '../support.ts';
import {
  BUSY,
  CRASHED,
  CUT,
  FAILED,
  INVALID,
  KEYS_AND_QUOTAS,
  OF_CALL,
  OVERFLOWS,
  QUOTA,
  REFUSED,
  type Row,
  SERVERS,
} from './error-rows.ts';
import { answering, connect, KEY } from './support.ts';

const STREAMS: readonly Row[] = [
  [
    'OpenRouter: a success that is an error',
    openRouterError(200, 429, 'Rate limit exceeded'),
    BUSY,
    /busy/,
  ],
  [
    'OpenRouter: a success without credit',
    openRouterError(200, 402, 'No credits'),
    QUOTA,
    /credit/,
  ],
  [
    'OpenRouter: an error event in mid-stream',
    midStream(
      chunk({ content: '' }, 'error', { error: { code: 502, message: 'Provider disconnected' } }),
    ),
    CUT,
    /Provider disconnected/,
  ],
  [
    'OpenRouter: an error inside the choice',
    midStream({
      choices: [
        {
          index: 0,
          delta: {},
          finish_reason: 'error',
          error: { code: 429, message: 'upstream is busy' },
        },
      ],
    }),
    BUSY,
    /upstream is busy/,
  ],
  [
    'an error event with a code in words',
    midStream({ error: { message: 'Slow down', type: 'rate_limit_error', code: null } }),
    BUSY,
    /Slow down/,
  ],
  [
    'an error event in one string',
    midStream({ error: 'the model has crashed' }),
    CRASHED,
    /in mid-answer.*has crashed/,
  ],
  [
    'older vLLM: an error instead of a chunk',
    midStream({ object: 'error', message: 'EngineDeadError', type: 'InternalServerError' }),
    CRASHED,
    /EngineDeadError/,
  ],
  [
    'older llama.cpp: an error line that is no data',
    {
      stream: `${event(chunk({ content: 'half' }))}error: {"code":500,"message":"slot unavailable","type":"server_error"}\n\n`,
    },
    CRASHED,
    /slot unavailable/,
  ],
  [
    'an error as plain JSON in a stream',
    { stream: '{"error":{"message":"no such deployment","code":404}}' },
    FAILED,
    /no such deployment/,
  ],
  [
    "Ollama's /v1: an empty chunk, then the end",
    midStream(chunk({ content: '' })),
    INVALID,
    /without a finish_reason/,
  ],
  ['[DONE] without a reason', midStream('[DONE]'), INVALID, /without a finish_reason/],
  ['no body', { stream: '' }, INVALID, /without a finish_reason/],
  ['an event that is not JSON', { stream: 'data: oops\n\n' }, INVALID, /is not JSON/],
  ['a chunk of another form', { stream: event({ choices: 'many' }) }, INVALID, /unknown form/],
  ['a reason nobody knows', { stream: saying('hi', 'bored') }, INVALID, /unknown reason: "bored"/],
  ['an empty answer', { stream: saying('') }, OF_CALL, /answered with nothing/],
  ['length', { stream: saying('many words', 'length') }, { kind: 'truncated' }, /cut off/],
  ['a filter in the answer', { stream: saying('I', 'content_filter') }, REFUSED, /refused/],
  [
    'a refusal beside the content',
    {
      stream:
        event(chunk({ content: null, refusal: 'I cannot help' })) + event(chunk({}, 'stop')) + DONE,
    },
    REFUSED,
    /refused/,
  ],
  [
    'arguments that are not an object',
    {
      stream:
        event(chunk(callDelta({ index: 0, id: 'a', name: 'write_file', arguments: '[1' }))) +
        event(chunk({}, 'tool_calls')) +
        DONE,
    },
    OF_CALL,
    /not an object/,
  ],
];

describe('every way to fail has its status and its next step', () => {
  it.each([...KEYS_AND_QUOTAS, ...OVERFLOWS, ...SERVERS, ...STREAMS])(
    '%s',
    async (_, reply, status, says) => {
      const { provider, server } = await answering(reply);
      const result = await turn(provider);
      expect(result.status).toEqual(status);
      expect(result.told).toMatch(says);
      expect(result.message.toolCalls).toBeUndefined();
      expect(server.chats).toHaveLength(1);
    },
  );

  it('keeps what was said before a stream failed', async () => {
    const { provider } = await answering(midStream({ error: { message: 'gone', code: 502 } }));
    expect((await turn(provider)).message.content).toBe('half');
  });

  it.each(['length', 'content_filter', null])(
    'never hands out a call of an answer that ended with %s',
    async (reason) => {
      const call = callDelta({ index: 0, id: 'a', name: 'write_file', arguments: '{"path":"a"}' });
      const { provider } = await answering({
        stream: event(chunk(call)) + event(chunk({}, reason)) + DONE,
      });
      const result = await turn(provider, { tools: [WRITE_FILE] });
      expect(result.status.kind).not.toBe('success');
      expect(result.events.filter(({ type }) => type === 'tool_call')).toEqual([]);
    },
  );
});

describe('servers that are not there', () => {
  const failureAt = async (baseUrl: string) => {
    const elsewhere = openAiProvider({ apiKey: KEY, baseUrl });
    try {
      return await turn(elsewhere);
    } finally {
      await elsewhere.close();
    }
  };

  it('https asked of a server that speaks http is not tried again', async () => {
    const { server } = await connect();
    const result = await failureAt(server.url.replace('http:', 'https:'));
    expect(result.status).toEqual({ kind: 'network_error', retryable: false });
    expect(result.hint).toMatch(/http or https/);
  });

  it.each(['', 'ftp://x', 'http://'])('"%s" is no base URL', (baseUrl) => {
    expect(() => openAiProvider({ baseUrl })).toThrow(/not an http address/);
  });
});
