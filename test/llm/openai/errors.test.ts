import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { openAiProvider } from '../../../src/llm/openai/openai-provider.ts';
import type { TurnStatus } from '../../../src/schema/turn.ts';
import type { OpenAiReply } from '../../support/fake-openai.ts';
import {
  callDelta,
  chunk,
  DONE,
  emptyBody,
  event,
  fastApiError,
  flatError,
  htmlPage,
  llamaCppError,
  openAiError,
  openRouterError,
  plainError,
  saying,
  vllmError,
} from '../../support/fake-openai-bodies.ts';
import { requestOf, turn, WRITE_FILE } from '../support.ts';
import { answering, connect, KEY } from './support.ts';

const FAILED: TurnStatus = { kind: 'model_error', retryable: false };
const CRASHED: TurnStatus = { kind: 'model_error', retryable: true };
const CUT: TurnStatus = { kind: 'network_error', retryable: true };
const AUTH: TurnStatus = { kind: 'auth_failed' };
const QUOTA: TurnStatus = { kind: 'quota_exceeded' };
const BUSY: TurnStatus = { kind: 'rate_limited' };
const OVERFLOW: TurnStatus = { kind: 'context_overflow' };
const INVALID: TurnStatus = { kind: 'invalid_response' };
const REFUSED: TurnStatus = { kind: 'refused' };

const after = (retryAfterMs: number): TurnStatus => ({ kind: 'rate_limited', retryAfterMs });

/** Text first, then the given data. */
const midStream = (...data: unknown[]): OpenAiReply => ({
  stream: [event(chunk({ role: 'assistant', content: 'half' })), ...data.map(event)].join(''),
});

type Row = readonly [name: string, reply: OpenAiReply, status: TurnStatus, says: RegExp];

const KEYS_AND_QUOTAS: readonly Row[] = [
  [
    'a wrong key',
    openAiError(401, 'Incorrect API key provided: sk-te***cdef.', 'invalid_api_key'),
    AUTH,
    /refuses the API key \(401.*Check the API key/,
  ],
  ['a wrong key, without a body', emptyBody(401), AUTH, /401/],
  [
    'a region that is not served',
    openAiError(403, 'Country, region, or territory not supported', 'unsupported_country'),
    AUTH,
    /check its permissions/,
  ],
  ['no credit, OpenRouter', openRouterError(402, 402, 'Insufficient credits'), QUOTA, /credit/],
  [
    'too many requests in flight, OpenRouter',
    openRouterError(402, 402, 'In-flight budget reached', {
      metadata: { limit_source: 'openrouter_in_flight_budget' },
      headers: { 'retry-after': '3' },
    }),
    after(3000),
    /busy/,
  ],
  [
    'a spent quota that comes as a rate limit',
    openAiError(429, 'You exceeded your current quota, please check your plan', 'insufficient_quota'),
    QUOTA,
    /used up.*Add credit/,
  ],
  [
    'a spent quota, by its words alone',
    openAiError(429, 'You exceeded your current quota, please check your plan and billing details.'),
    QUOTA,
    /used up/,
  ],
  ['a spent key limit', openRouterError(403, 403, 'Key limit exceeded (total limit)'), QUOTA, /key/],
  [
    'a rate limit that Google calls a quota',
    {
      status: 429,
      body: '[{"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED"}}]',
    },
    BUSY,
    /busy/,
  ],
  [
    'a rate limit with seconds',
    openAiError(429, 'Rate limit reached for gpt-4o', 'rate_limit_exceeded', {
      headers: { 'retry-after': '7' },
    }),
    after(7000),
    /Wait a while/,
  ],
  [
    'a rate limit with milliseconds',
    openAiError(429, 'Rate limit reached', 'rate_limit_exceeded', {
      headers: { 'retry-after': '2', 'retry-after-ms': '1234' },
    }),
    after(1234),
    /busy/,
  ],
  [
    'a rate limit with a date, by the clock of the server',
    openAiError(429, 'Rate limit reached', null, {
      headers: {
        date: 'Sun, 22 Nov 2026 10:00:00 GMT',
        'retry-after': 'Sun, 22 Nov 2026 10:00:09 GMT',
      },
    }),
    after(9000),
    /busy/,
  ],
  [
    'a rate limit that speaks of tokens',
    openAiError(429, 'Request too large: maximum context length of tokens per min (TPM)', 'tokens'),
    BUSY,
    /busy/,
  ],
];

const OVERFLOWS: readonly Row[] = (
  [
    openAiError(400, 'Too long.', 'context_length_exceeded'),
    openAiError(400, 'Your input exceeds the context window of this model. Please adjust your input'),
    openAiError(
      400,
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 8227 tokens.",
    ),
    openRouterError(
      400,
      400,
      "This endpoint's maximum context length is 16384 tokens. However, you requested about 26265 tokens (22265 of text input, 4000 in the output).",
    ),
    openRouterError(400, 400, 'Provider returned error', {
      metadata: {
        provider_name: 'Anthropic',
        raw: '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 213462 tokens > 200000 maximum"}}',
      },
    }),
    openRouterError(
      400,
      400,
      'input length and `max_tokens` exceed context limit: 189136 + 20000 > 204648',
    ),
    openRouterError(200, 400, "This endpoint's maximum context length is 16384 tokens."),
    vllmError(
      400,
      "You passed 10243 input tokens and requested 6142 output tokens. However, the model's context length is only 16384 tokens",
    ),
    flatError(
      400,
      "This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens.",
    ),
    llamaCppError(
      400,
      'request (9412 tokens) exceeds the available context size (8192 tokens), try increasing it',
      'exceed_context_size_error',
    ),
    llamaCppError(500, 'the request exceeds the available context size', 'server_error'),
    plainError(
      400,
      'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 10978 >= n_ctx: 8192). Try to load the model with a larger context length',
    ),
    midStream({ error: { message: 'Context size has been exceeded.' } }),
    openAiError(400, 'the input length exceeds the context length'),
    openAiError(
      400,
      '{"error":{"code":400,"message":"request (9412 tokens) exceeds the available context size (8192 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9412,"n_ctx":8192}}',
    ),
    openAiError(
      400,
      'the prompt is longer than the context length currently available to the model; shorten the prompt',
    ),
    openAiError(413, 'Request Entity Too Large'),
    htmlPage(413, '413 Request Entity Too Large'),
    openAiError(422, 'Please reduce the length of the messages or completion.'),
    openAiError(400, 'The input token count (40000) exceeds the maximum number of tokens allowed'),
    openAiError(400, "This model's maximum prompt length is 131072 but the request contains 150000"),
    openAiError(400, 'Your request exceeded model token limit: 8192'),
    openAiError(400, 'The prompt is too large for model with 4096 maximum context'),
  ] as const
).map((reply, index) => [`overflow ${index + 1}`, reply, OVERFLOW, /does not fit.*larger context/]);

const SERVERS: readonly Row[] = [
  [
    'a model that is not there, OpenAI',
    openAiError(404, 'The model `gpt-9` does not exist', 'model_not_found'),
    FAILED,
    /has no model .*agent models/,
  ],
  [
    'a model that is not there, vLLM',
    vllmError(404, 'The model `x` does not exist.', 'NotFoundError'),
    FAILED,
    /has no model/,
  ],
  ['a wrong address, FastAPI', fastApiError(404, 'Not Found'), FAILED, /no OpenAI-compatible API/],
  ['a wrong address, a web server', htmlPage(404, '404 Not Found'), FAILED, /ends in \/v1/],
  [
    'a page instead of an answer',
    {
      status: 200,
      body: '<!doctype html><title>LM Studio</title>',
      headers: { 'content-type': 'text/html' },
    },
    FAILED,
    /a web page, "LM Studio"/,
  ],
  [
    'another address',
    emptyBody(308, { location: 'https://elsewhere.example/v1' }),
    FAILED,
    /sends on to https:\/\/elsewhere.example/,
  ],
  [
    'a request that is wrong, FastAPI',
    fastApiError(422, [{ loc: ['body', 'messages'], msg: 'field required' }]),
    FAILED,
    /refused the request \(422\).*field required/,
  ],
  [
    'no tools, Ollama',
    openAiError(400, 'registry.ollama.ai/library/gemma3:latest does not support tools'),
    FAILED,
    /--tool-mode json/,
  ],
  [
    'no tools, OpenRouter',
    openRouterError(404, 404, 'No endpoints found that support tool use.'),
    FAILED,
    /--tool-mode json/,
  ],
  [
    'no tools, vLLM',
    vllmError(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser'),
    FAILED,
    /--tool-mode json/,
  ],
  [
    'no tools, llama.cpp',
    llamaCppError(500, 'tools param requires --jinja flag', 'server_error'),
    FAILED,
    /--tool-mode json/,
  ],
  [
    'a call the server could not read, Groq',
    openAiError(400, 'Failed to call a function. Please adjust your prompt.', 'tool_use_failed'),
    INVALID,
    /could not read/,
  ],
  [
    'a filter',
    openAiError(400, 'The response was filtered', 'content_filter'),
    REFUSED,
    /filter of the provider/,
  ],
  [
    'a filter, OpenRouter',
    openRouterError(403, 403, 'Your chosen model requires moderation and your input was flagged'),
    REFUSED,
    /flagged/,
  ],
  ['a time-out', openRouterError(408, 408, 'Your request timed out'), { kind: 'timeout' }, /408/],
  [
    'a model that is being loaded, llama.cpp',
    llamaCppError(503, 'Loading model', 'unavailable_error'),
    after(15_000),
    /still loading/,
  ],
  ['an overloaded engine', openAiError(503, 'The engine is currently overloaded'), BUSY, /busy/],
  ['an overloaded model behind', openRouterError(529, 529, 'Overloaded'), BUSY, /busy/],
  [
    'a server error',
    openAiError(500, 'The server had an error', null, { type: 'server_error' }),
    CRASHED,
    /stopped working \(500\)/,
  ],
  ['a server error without a word', emptyBody(500), CRASHED, /500/],
  ['a conflict', openAiError(409, 'locked'), CRASHED, /409/],
  ['a model behind that is down', openRouterError(502, 502, 'Provider error'), CUT, /dropped/],
  ['a proxy without its server', htmlPage(502, '502 Bad Gateway'), CUT, /502 Bad Gateway/],
  ['a proxy that lost patience', htmlPage(524, 'A timeout occurred'), CUT, /dropped.*524/],
];

const STREAMS: readonly Row[] = [
  [
    'OpenRouter: a success that is an error',
    openRouterError(200, 429, 'Rate limit exceeded'),
    BUSY,
    /busy/,
  ],
  ['OpenRouter: a success without credit', openRouterError(200, 402, 'No credits'), QUOTA, /credit/],
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
  ['an event that is no JSON', { stream: 'data: oops\n\n' }, INVALID, /is no JSON/],
  ['a chunk of another form', { stream: event({ choices: 'many' }) }, INVALID, /unknown form/],
  ['a reason nobody knows', { stream: saying('hi', 'bored') }, INVALID, /unknown reason: "bored"/],
  ['an empty answer', { stream: saying('') }, INVALID, /answered with nothing/],
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
    'arguments that are no object',
    {
      stream:
        event(chunk(callDelta({ index: 0, id: 'a', name: 'write_file', arguments: '[1' }))) +
        event(chunk({}, 'tool_calls')) +
        DONE,
    },
    INVALID,
    /no object/,
  ],
  ['a socket cut before the headers', { cut: 'before headers' }, CUT, /was cut/],
  [
    'a socket cut in mid-stream',
    { stream: event(chunk({ content: 'half' })), isCut: true },
    CUT,
    /was cut/,
  ],
];

describe('every way to fail has its status and its next step', () => {
  it.each([
    ...KEYS_AND_QUOTAS,
    ...OVERFLOWS,
    ...SERVERS,
    ...STREAMS,
  ])('%s', async (_, reply, status, says) => {
    const { provider, server } = await answering(reply);
    const result = await turn(provider);
    expect(result.status).toEqual(status);
    expect(result.detail).toMatch(says);
    expect(result.message.toolCalls).toBeUndefined();
    expect(server.chats).toHaveLength(1);
  });

  it('keeps what was said before a stream failed', async () => {
    const { provider } = await answering(midStream({ error: { message: 'gone', code: 502 } }));
    expect((await turn(provider)).message.content).toBe('half');
  });

  it.each(['length', 'content_filter', null])('never hands out a call of an answer that ended with %s', async (reason) => {
    const call = callDelta({ index: 0, id: 'a', name: 'write_file', arguments: '{"path":"a"}' });
    const { provider } = await answering({
      stream: event(chunk(call)) + event(chunk({}, reason)) + DONE,
    });
    const result = await turn(provider, { tools: [WRITE_FILE] });
    expect(result.status.kind).not.toBe('success');
    expect(result.events.filter(({ type }) => type === 'tool_call')).toEqual([]);
  });
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

  it('nobody listens: may be retried', async () => {
    const { server } = await connect();
    await server.close();
    const result = await failureAt(server.url);
    expect(result.status).toEqual(CUT);
    expect(result.detail).toContain(`No server answers at ${server.url} (ECONNREFUSED)`);
  });

  it('a host that does not exist says so', async () => {
    const result = await failureAt('https://no-such-host.invalid/v1');
    expect(result.status.kind).toBe('network_error');
    expect(result.detail).toMatch(/host of .* is not known/);
  });

  it('https asked of a server that speaks http is not tried again', async () => {
    const { server } = await connect();
    const result = await failureAt(server.url.replace('http:', 'https:'));
    expect(result.status).toEqual({ kind: 'network_error', retryable: false });
    expect(result.detail).toMatch(/http or https/);
  });

  it.each(['', 'ftp://x', 'http://'])('"%s" is no base URL', (baseUrl) => {
    expect(() => openAiProvider({ baseUrl })).toThrow(/no http address/);
  });
});

describe('the key', () => {
  const echo = (headers: { authorization?: string | undefined }): string =>
    `bad request with ${headers.authorization} and x-api-key extra-secret`;
  const settings = { headers: { 'X-Api-Key': 'extra-secret' } };

  it.each([400, 401, 403, 404, 429, 500, 502])('is sent, and stands in no message of a %i', async (status) => {
    const { provider, server } = await connect(
      { script: (_, __, headers) => openAiError(status, echo(headers)) },
      settings,
    );
    const result = await turn(provider);
    expect(server.headers[0]).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'x-api-key': 'extra-secret',
    });
    expect(result.detail).toContain('***');
    expect(inspect(result, { depth: 9 })).not.toMatch(/sk-test|extra-secret/);
  });

  it('stands in no error that is thrown, nor in what caused it', async () => {
    const { provider } = await connect(
      { script: (_, __, headers) => midStream({ error: { message: echo(headers) } }) },
      settings,
    );
    const thrown = await (async () => {
      for await (const _ of provider.stream(requestOf(), new AbortController().signal));
    })().catch((error: unknown) => error);
    expect(thrown).toMatchObject({ name: 'ProviderError', status: CRASHED });
    expect(inspect(thrown, { depth: 9, showHidden: true })).not.toMatch(/sk-test|extra-secret/);
  });

  it('stands in no error of the list of models', async () => {
    const { provider } = await connect({ pages: { '/v1/models': openAiError(401, `no ${KEY}`) } });
    const thrown = await provider.list(new AbortController().signal).catch((e: unknown) => e);
    expect(thrown).toMatchObject({ status: AUTH });
    expect(inspect(thrown, { depth: 9 })).not.toContain(KEY);
  });

  it('that no header can carry is said to be wrong, without being shown', async () => {
    const { provider } = await connect({}, { apiKey: 'sk-test\u0007\n0123' });
    const result = await turn(provider);
    expect(result.status).toEqual(AUTH);
    expect(inspect(result)).not.toMatch(/sk-test/);
  });
});

describe('the library is silent', () => {
  it.each<[string, OpenAiReply]>([
    ['an event that is no JSON', { stream: 'data: oops\n\n' }],
    ['an error in mid-stream', midStream({ error: { message: 'gone' } })],
    ['a refusal', emptyBody(500)],
  ])('%s prints nothing', async (_, reply) => {
    const printed = (['log', 'warn', 'error', 'info', 'debug'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => undefined),
    );
    const { provider } = await answering(reply);
    expect((await turn(provider)).status.kind).not.toBe('success');
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});
