import { describe, expect, it } from 'vitest';
import { anthropicProvider } from '../../../src/llm/anthropic/anthropic-provider.ts';
import { apiFailure } from '../../../src/llm/anthropic/failures.ts';
import type { TurnStatus } from '../../../src/schema/model/turn.ts';
import {
  type AnthropicReply,
  errorBody,
  startFakeAnthropic,
} from '../../support/fake-anthropic.ts';
import { WRITE_FILE } from '../support.ts';
import { answering, anySignal, connect, KEY, rejected } from './support.ts';

const FAILED: TurnStatus = { kind: 'model_error', retryable: false };
const CRASHED: TurnStatus = { kind: 'model_error', retryable: true };
const CUT: TurnStatus = { kind: 'network_error', retryable: true };
const OVERFLOW: TurnStatus = { kind: 'context_overflow' };
const ofWindow = (windowTokens: number): TurnStatus => ({ ...OVERFLOW, windowTokens });
const INVALID: TurnStatus = { kind: 'invalid_response' };
const OF_CALL: TurnStatus = { ...INVALID, ofCall: true };
const AUTH: TurnStatus = { kind: 'auth_failed' };
const QUOTA: TurnStatus = { kind: 'quota_exceeded' };

const error = (
  status: number,
  type: string,
  message: string,
  more: { headers?: Record<string, string>; details?: unknown } = {},
): AnthropicReply => ({
  error: {
    status,
    body: errorBody(type, message, more.details),
    ...(more.headers ? { headers: more.headers } : {}),
  },
});

const page = (status: number, body: string, headers = {}): AnthropicReply => ({
  error: { status, body, headers: { 'content-type': 'text/html', ...headers } },
});

const WAIT = { 'retry-after': '4' };

const inStream = (type: string, message: string): AnthropicReply => ({
  content: 'half',
  errorEvent: errorBody(type, message),
});

const call = (input: unknown) => ({ type: 'tool_use', id: 'toolu_01', name: 'write_file', input });

const CREDIT =
  'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.';

const ROWS: readonly [name: string, reply: AnthropicReply, status: TurnStatus, says: RegExp][] = [
  [
    'a sampling parameter',
    error(400, 'invalid_request_error', 'temperature: Extra inputs are not permitted'),
    FAILED,
    /refused the request \(400\): temperature/,
  ],
  [
    'calls without results',
    error(
      400,
      'invalid_request_error',
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01',
    ),
    FAILED,
    /without `tool_result`/,
  ],
  [
    'no prefill',
    error(400, 'invalid_request_error', 'This model does not support assistant message prefill.'),
    FAILED,
    /prefill/,
  ],
  [
    'a prompt that is too long',
    error(400, 'invalid_request_error', 'prompt is too long: 213462 tokens > 200000 maximum'),
    ofWindow(200_000),
    /does not fit.*213462/,
  ],
  [
    'prompt and answer together too long',
    error(
      400,
      'invalid_request_error',
      'input length and `max_tokens` exceed context limit: 189136 + 20000 > 204648, decrease input length or `max_tokens` and try again',
    ),
    ofWindow(204_648),
    /does not fit.*189136/,
  ],
  [
    'a request that is too large',
    error(413, 'request_too_large', 'Request exceeds the maximum size'),
    OVERFLOW,
    /does not fit/,
  ],
  ['a large request, as a gateway says it', page(413, 'too large'), OVERFLOW, /larger/],
  ['no credit', error(400, 'invalid_request_error', CREDIT), QUOTA, /credit.*billing/],
  ['a payment that is due', error(402, 'billing_error', 'Payment required'), QUOTA, /billing/],
  [
    'a limit the user set',
    error(
      400,
      'invalid_request_error',
      'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.',
    ),
    QUOTA,
    /2026-12-01/,
  ],
  [
    'a spend limit, told by its code',
    error(429, 'rate_limit_error', 'Limit.', {
      details: { error_code: 'enforced_spend_limit_reached' },
    }),
    QUOTA,
    /credit is used up/,
  ],
  [
    'a wrong key',
    error(401, 'authentication_error', 'invalid x-api-key'),
    AUTH,
    /refuses the API key.*ANTHROPIC_API_KEY/,
  ],
  [
    'no permission',
    error(403, 'permission_error', 'Your API key does not have permission'),
    AUTH,
    /may not use/,
  ],
  ['a firewall', page(403, '<html><h1>Forbidden</h1></html>'), AUTH, /\(403\): Forbidden/],
  [
    'an account on hold',
    error(403, 'permission_error', 'Disabled.', {
      details: { error_code: 'organization_on_hold' },
    }),
    AUTH,
    /does not serve this account/,
  ],
  [
    'a disabled account',
    error(400, 'invalid_request_error', 'This organization has been disabled.'),
    AUTH,
    /does not serve this account/,
  ],
  [
    'no such model',
    error(404, 'not_found_error', 'model: claude-sonnet-5-5'),
    FAILED,
    /has no model claude-sonnet-5-5.*--model/,
  ],
  ['another server', page(404, '404 page not found'), FAILED, /is not the Anthropic API/],
  [
    'a server that sends on',
    page(308, '', { location: 'https://elsewhere.example/v1/messages' }),
    FAILED,
    /https:\/\/elsewhere\.example/,
  ],
  ['a slow client', error(408, 'timeout_error', 'Request timeout'), CUT, /dropped on its way/],
  ['a conflict', error(409, 'conflict_error', 'Locked'), CRASHED, /failed \(409\)/],
  ['a request nobody understands', page(422, 'unprocessable'), FAILED, /refused.*422/],
  [
    'too many requests, with a time to wait',
    error(429, 'rate_limit_error', 'Number of requests has exceeded your rate limit', {
      headers: { 'retry-after': '7' },
    }),
    { kind: 'rate_limited', retryAfterMs: 7000 },
    /busy/,
  ],
  [
    'too many requests, with the milliseconds to wait',
    error(429, 'rate_limit_error', 'Slow down', {
      headers: { 'retry-after': '7', 'retry-after-ms': '1500' },
    }),
    { kind: 'rate_limited', retryAfterMs: 1500 },
    /busy/,
  ],
  [
    'too many requests',
    error(429, 'rate_limit_error', 'This request would exceed your rate limit of 50 requests'),
    { kind: 'rate_limited' },
    /busy/,
  ],
  [
    'too many tokens a minute is a rate, not an overflow',
    error(429, 'rate_limit_error', 'prompt is too long for the rate limit of your organization'),
    { kind: 'rate_limited' },
    /busy/,
  ],
  ['a client that closed', page(499, ''), CUT, /dropped on its way/],
  ['an internal error', error(500, 'api_error', 'Internal server error'), CRASHED, /\(500\)/],
  [
    'an error that comes again, as the server says',
    error(500, 'api_error', 'Broken', { headers: { 'x-should-retry': 'false' } }),
    FAILED,
    /failed \(500\): Broken/,
  ],
  ['a gateway without its server', page(502, '<h1>Bad Gateway</h1>'), CUT, /Bad Gateway/],
  ['a service that is down', page(503, 'no healthy upstream'), CUT, /no healthy upstream/],
  ['a gateway that gave up', error(504, 'timeout_error', 'Timed out'), CUT, /\(504\)/],
  ['overload', error(529, 'overloaded_error', 'Overloaded'), CRASHED, /failed \(529\): Overloaded/],
  ['overload, as a gateway says it', page(529, ''), CRASHED, /failed \(529\)/],
  ['overload in mid-stream', inStream('overloaded_error', 'Overloaded'), CRASHED, /mid-answer/],
  ['an error in mid-stream', inStream('api_error', 'Internal'), CRASHED, /in mid-answer\): Int/],
  [
    'too many requests in mid-stream',
    inStream('rate_limit_error', 'Slow down'),
    { kind: 'rate_limited' },
    /busy/,
  ],
  [
    'an overflow in mid-stream',
    inStream('invalid_request_error', 'prompt is too long: 9 tokens > 8 maximum'),
    ofWindow(8),
    /9 tokens/,
  ],
  [
    'an error event without form',
    { raw: 'event: error\ndata: oops\n\n' },
    CRASHED,
    /in mid-answer/,
  ],
  ['no message_stop', { content: 'half', noStop: true }, INVALID, /broke off/],
  ['a stream without events', { raw: '' }, INVALID, /broke off/],
  ['a page instead of a stream', { raw: '<html>hello</html>\n' }, INVALID, /broke off/],
  [
    'an event that is not JSON',
    { raw: 'event: message_start\ndata: {"type"\n\n' },
    INVALID,
    /is not JSON/,
  ],
  [
    'an event of an unknown form',
    { raw: 'event: message_delta\ndata: {"type":"message_delta"}\n\n' },
    INVALID,
    /unknown form/,
  ],
  ['an empty answer', { content: '' }, OF_CALL, /answered with nothing/],
  [
    'arguments that are not JSON',
    { blocks: [call('{"path": "a')] },
    OF_CALL,
    /write_file are not JSON/,
  ],
  ['arguments that are not an object', { blocks: [call('["a"]')] }, OF_CALL, /are not an object/],
  ['max_tokens', { content: 'hal', stopReason: 'max_tokens' }, { kind: 'truncated' }, /cut off/],
  [
    'max_tokens within a call',
    { blocks: [call('{"path": "a')], stopReason: 'max_tokens' },
    { kind: 'truncated' },
    /cut off/,
  ],
  ['a pause', { content: 'wait', stopReason: 'pause_turn' }, INVALID, /"pause_turn"/],
  ['a reason nobody knows', { content: 'x', stopReason: 'tired' }, INVALID, /"tired"/],
  ['no reason', { content: 'x', stopReason: null }, INVALID, /unknown reason/],
  ['a refusal', { content: 'No.', stopReason: 'refusal' }, { kind: 'refused' }, /refused/],
  [
    'a window smaller than we think',
    { content: 'long', stopReason: 'model_context_window_exceeded' },
    OVERFLOW,
    /window of claude-sonnet-5-5 is full/,
  ],
  [
    'a window that the answer filled',
    {
      content: 'long',
      stopReason: 'model_context_window_exceeded',
      usage: { input_tokens: 4000 },
      lastUsage: { output_tokens: 96 },
    },
    ofWindow(4096),
    /4096 tokens was full/,
  ],
];

it('a page that is all tags is shortened like every other', () => {
  const page = `502 ${'<'.repeat(300_000)}`;
  const failure = apiFailure(
    Object.assign(new Error(page), { status: 502, headers: new Headers() }),
  );
  expect(failure?.text).toBe('<'.repeat(300));
});

describe('every way to fail has its status and its next step', () => {
  it.each(ROWS)('%s', async (_, reply, status, says) => {
    const { ask } = await answering(reply);
    const result = await ask({ tools: [WRITE_FILE] });
    expect({ status: result.status, told: result.told }).toEqual({
      status,
      told: expect.stringMatching(says),
    });
    expect(result.message.toolCalls).toBeUndefined();
  });

  it('a date to wait for is told in milliseconds, by the clock of the server', async () => {
    const headers = {
      date: 'Sun, 22 Nov 2026 10:00:00 GMT',
      'retry-after': 'Sun, 22 Nov 2026 10:00:30 GMT',
    };
    const { ask } = await answering(error(429, 'rate_limit_error', '', { headers }));
    expect((await ask()).status).toEqual({ kind: 'rate_limited', retryAfterMs: 30_000 });
  });

  it.each([
    ['overload', error(529, 'overloaded_error', '', { headers: WAIT }), CRASHED],
    ['a failure', error(500, 'api_error', '', { headers: WAIT }), CRASHED],
    ['a service that is down', page(503, '', WAIT), CUT],
  ])('%s: the wait that is asked for is told', async (_, reply, status) => {
    const { ask } = await answering(reply);
    expect((await ask()).status).toEqual({ ...status, retryAfterMs: 4000 });
  });

  it('a refusal says what it was about', async () => {
    const stopDetails = { type: 'refusal', category: 'cyber', explanation: null };
    const { ask } = await answering({ content: 'No.', stopReason: 'refusal', stopDetails });
    expect((await ask()).rawReason).toBe('refusal (cyber)');
  });
});

describe('servers that are not there', () => {
  const listAt = async (baseUrl: string, apiKey = KEY) => {
    const elsewhere = anthropicProvider({ apiKey, baseUrl });
    try {
      return await rejected(elsewhere.list(anySignal()));
    } finally {
      await elsewhere.close();
    }
  };

  it('https asked of a server that speaks http is not tried again', async () => {
    const { server } = await connect();
    expect(await listAt(server.url.replace('http:', 'https:'))).toMatchObject({
      status: { kind: 'network_error', retryable: false },
      hint: expect.stringContaining('http or https'),
    });
  });

  it.each(['api.anthropic.com', 'ftp://api.anthropic.com', ''])(
    '"%s" is not an address',
    async (baseUrl) => {
      expect(await listAt(baseUrl)).toMatchObject({
        status: FAILED,
        hint: expect.stringContaining('https://api.anthropic.com'),
      });
    },
  );

  it('a password in the address is not shown', async () => {
    const server = await startFakeAnthropic();
    await server.close();
    const answer = await listAt(server.url.replace('http://', 'http://me:hunter2@'));
    expect(String(answer)).toContain(server.url);
    expect(String(answer)).not.toContain('hunter2');
  });
});
