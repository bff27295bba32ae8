// What servers refuse a request with: each dialect's words, and the status they mean.
import type { TurnStatus } from '../../../src/schema/model/turn.ts';
import type { OpenAiReply } from '../../support/fake-openai.ts';
import {
  emptyBody,
  fastApiError,
  flatError,
  htmlPage,
  llamaCppError,
  midStream,
  openAiError,
  openRouterError,
  plainError,
  vllmError,
} from '../../support/fake-openai-bodies.ts';

export const FAILED: TurnStatus = { kind: 'model_error', retryable: false };
export const CRASHED: TurnStatus = { kind: 'model_error', retryable: true };
export const CUT: TurnStatus = { kind: 'network_error', retryable: true };
export const AUTH: TurnStatus = { kind: 'auth_failed' };
export const QUOTA: TurnStatus = { kind: 'quota_exceeded' };
export const BUSY: TurnStatus = { kind: 'rate_limited' };
export const OVERFLOW: TurnStatus = { kind: 'context_overflow' };
export const INVALID: TurnStatus = { kind: 'invalid_response' };
export const OF_CALL: TurnStatus = { ...INVALID, ofCall: true };
export const REFUSED: TurnStatus = { kind: 'refused' };

const after = (retryAfterMs: number): TurnStatus => ({ kind: 'rate_limited', retryAfterMs });

export type Row = readonly [name: string, reply: OpenAiReply, status: TurnStatus, says: RegExp];

export const KEYS_AND_QUOTAS: readonly Row[] = [
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
    openAiError(
      429,
      'You exceeded your current quota, please check your plan',
      'insufficient_quota',
    ),
    QUOTA,
    /used up.*Add credit/,
  ],
  [
    'a spent quota, by its words alone',
    openAiError(
      429,
      'You exceeded your current quota, please check your plan and billing details.',
    ),
    QUOTA,
    /used up/,
  ],
  [
    'a spent key limit',
    openRouterError(403, 403, 'Key limit exceeded (total limit)'),
    QUOTA,
    /key/,
  ],
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

/** Windows that the sentences below name, in their order. */
const NAMED_WINDOWS: readonly (number | null)[] = [
  ...[null, null, 8192, 16_384, 200_000, 204_648, 16_384, 16_384, 4096, 8192, null, 8192],
  ...[null, null, 8192, null, null, null, null, null, 131_072, 8192, 4096],
];

export const OVERFLOWS: readonly Row[] = (
  [
    openAiError(400, 'Too long.', 'context_length_exceeded'),
    openAiError(
      400,
      'Your input exceeds the context window of this model. Please adjust your input',
    ),
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
    openAiError(
      400,
      "This model's maximum prompt length is 131072 but the request contains 150000",
    ),
    openAiError(400, 'Your request exceeded model token limit: 8192'),
    openAiError(400, 'The prompt is too large for model with 4096 maximum context'),
  ] as const
).map((reply, index) => {
  const named = NAMED_WINDOWS[index] ?? null;
  const status = named === null ? OVERFLOW : { ...OVERFLOW, windowTokens: named };
  return [`overflow ${index + 1}`, reply, status, /does not fit.*larger context/];
});

export const SERVERS: readonly Row[] = [
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
  [
    'a wrong address, FastAPI',
    fastApiError(404, 'Not Found'),
    FAILED,
    /not an OpenAI-compatible API/,
  ],
  [
    'a wrong address, llama.cpp',
    llamaCppError(404, 'File Not Found', 'not_found_error'),
    FAILED,
    /not an OpenAI-compatible API/,
  ],
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
    /redirects to https:\/\/elsewhere.example/,
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
    OF_CALL,
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
    /failed \(500\)/,
  ],
  ['a server error without a word', emptyBody(500), CRASHED, /500/],
  [
    'a server error that asks to wait',
    emptyBody(500, { 'retry-after': '4' }),
    { ...CRASHED, retryAfterMs: 4000 },
    /500/,
  ],
  [
    'a model behind that asks to wait',
    emptyBody(502, { 'retry-after-ms': '250' }),
    { ...CUT, retryAfterMs: 250 },
    /dropped/,
  ],
  [
    'an overload that asks to wait',
    emptyBody(503, { 'retry-after': '4' }),
    { ...BUSY, retryAfterMs: 4000 },
    /busy/,
  ],
  ['a conflict', openAiError(409, 'locked'), CRASHED, /409/],
  ['a model behind that is down', openRouterError(502, 502, 'Provider error'), CUT, /dropped/],
  ['a proxy without its server', htmlPage(502, '502 Bad Gateway'), CUT, /502 Bad Gateway/],
  ['a proxy that lost patience', htmlPage(524, 'A timeout occurred'), CUT, /dropped.*524/],
];
