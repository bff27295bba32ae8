import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type OllamaProvider, ollamaProvider } from '../../../src/llm/ollama/ollama-provider.ts';
import type { TurnStatus } from '../../../src/schema/model/turn.ts';
import {
  type FakeOllama,
  type FakeOllamaOptions,
  type Reply,
  startFakeOllama,
} from '../../support/fake-ollama.ts';
import { requestOf, turn } from '../support.ts';

let server: FakeOllama | undefined;
let provider: OllamaProvider | undefined;

afterEach(async () => {
  await provider?.close();
  await server?.close();
});

async function connect(options: FakeOllamaOptions) {
  server = await startFakeOllama(options);
  provider = ollamaProvider({ host: server.url });
  return { server, provider };
}

const FAILED: TurnStatus = { kind: 'model_error', retryable: false };
const CRASHED: TurnStatus = { kind: 'model_error', retryable: true };
const CUT: TurnStatus = { kind: 'network_error', retryable: true };
const OVERFLOW: TurnStatus = { kind: 'context_overflow' };
const ofWindow = (windowTokens: number): TurnStatus => ({ ...OVERFLOW, windowTokens });
const INVALID: TurnStatus = { kind: 'invalid_response' };
const OF_CALL: TurnStatus = { ...INVALID, ofCall: true };

const error = (status: number, text: string, headers?: Record<string, string>): Reply => ({
  error: { status, body: JSON.stringify({ error: text }), ...(headers ? { headers } : {}) },
});

const ROWS: readonly [name: string, reply: Reply, status: TurnStatus, says: RegExp][] = [
  ['missing body', error(400, 'missing request body'), FAILED, /refused the request \(400\)/],
  ['empty model', { recorded: 'chat_empty_model' }, FAILED, /model is required/],
  ['model missing', { recorded: 'chat_missing_model' }, FAILED, /ollama pull qwen2.5-coder:1.5b/],
  [
    'model missing, as the scheduler says it',
    error(404, 'model "x" not found, try pulling it first'),
    FAILED,
    /has no model .*ollama pull/,
  ],
  [
    'no tools',
    { recorded: 'chat_tools_unsupported' },
    FAILED,
    /cannot call tools.*--tool-mode json/,
  ],
  ['no thinking', { recorded: 'chat_think_unsupported' }, FAILED, /does not support thinking/],
  ['no chat', error(400, '"nomic" does not support chat'), FAILED, /does not support chat/],
  [
    'busy',
    error(503, 'server busy, please try again.  maximum pending requests exceeded'),
    { kind: 'rate_limited' },
    /busy/,
  ],
  [
    'busy, with a time to wait',
    error(429, 'slow down', { 'retry-after': '7' }),
    { kind: 'rate_limited', retryAfterMs: 7000 },
    /busy/,
  ],
  ['cancelled on the way', error(499, 'request canceled'), CUT, /dropped on its way/],
  ['a proxy without its server', error(502, 'bad gateway'), CUT, /dropped on its way/],
  ['sign-in', error(401, 'unauthorized'), { kind: 'auth_failed' }, /ollama signin/],
  [
    'runner stopped',
    error(
      500,
      'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error',
    ),
    CRASHED,
    /failed \(500\)/,
  ],
  [
    'runner killed before the first chunk',
    { recorded: 'runner_killed_before_first_chunk' },
    CRASHED,
    /unexpected EOF/,
  ],
  [
    'runner killed in mid-stream',
    { recorded: 'runner_killed_mid_stream' },
    CRASHED,
    /in mid-answer/,
  ],
  [
    'out of memory',
    error(500, 'model requires more system memory (13.1 GiB) than is available (6.2 GiB)'),
    { ...FAILED, lacks: 'memory' },
    /does not fit into memory.*smaller model/,
  ],
  ['bad format', { recorded: 'chat_format_bad' }, FAILED, /invalid format/],
  ['bad pattern', { recorded: 'chat_format_bad_pattern' }, FAILED, /Pattern must start/],
  ['recursive schema', { recorded: 'chat_format_ref_root' }, FAILED, /Unsupported ref: #/],
  ['wrong option', { recorded: 'options_wrong_type' }, FAILED, /must be of type integer/],
  [
    'string arguments in the history',
    { recorded: 'chat_arguments_string' },
    FAILED,
    /can't find closing/,
  ],
  ['list as content', { recorded: 'chat_content_array' }, FAILED, /cannot unmarshal array/],
  [
    'a call harmony could not read',
    error(500, 'error parsing tool call: raw=\'{"path": "a\', err=unexpected end of JSON input'),
    OF_CALL,
    /could not read/,
  ],
  [
    'a call llama-server could not read, in mid-stream',
    {
      content: 'x',
      errorLine:
        'llama-server returned invalid tool call arguments for "write_file": unexpected end',
    },
    OF_CALL,
    /could not read/,
  ],
  [
    'overflow up to 0.24',
    error(400, 'the input length exceeds the context length'),
    OVERFLOW,
    /does not fit/,
  ],
  ['overflow since 0.30', { recorded: 'overflow_truncate_false' }, ofWindow(512), /2030 tokens/],
  [
    'overflow in the last message alone',
    { recorded: 'overflow_truncate_true_last_too_long' },
    ofWindow(512),
    /512 tokens/,
  ],
  [
    'overflow since 0.30.9 with truncation on',
    error(
      400,
      'the prompt is longer than the context length currently available to the model; shorten the prompt, or …',
    ),
    OVERFLOW,
    /does not fit/,
  ],
  [
    'overflow of a model in the cloud',
    error(400, 'prompt too long; exceeded max context length by 1119046 tokens (ref: 0)'),
    OVERFLOW,
    /does not fit/,
  ],
  [
    'no done',
    { content: 'half', noDone: true },
    INVALID,
    /without saying that it is done|Did not receive/,
  ],
  ['an empty answer', { content: '' }, OF_CALL, /answered with nothing/],
  ['a load instead of an answer', { recorded: 'chat_load' }, INVALID, /./],
  ['not JSON', { raw: '<html>hello</html>\n' }, INVALID, /not JSON/],
  [
    'arguments that are not an object',
    { toolCalls: [{ name: 'write_file', arguments: '{"path":"a"}' }] },
    OF_CALL,
    /not an object/,
  ],
  ['length', { recorded: 'chat_length' }, { kind: 'truncated' }, /cut off at its limit/],
  ['socket cut before the headers', { cut: 'before headers' }, CUT, /was cut/],
  ['socket cut in mid-stream', { content: 'half', cut: 'after content' }, CUT, /was cut/],
];

describe('every way to fail has its status and its next step', () => {
  it.each(ROWS)('%s', async (_, reply, status, says) => {
    const { provider } = await connect({ script: () => reply });
    const result = await turn(provider);
    expect(result.status).toEqual(status);
    expect(result.told).toMatch(says);
    expect(result.message.toolCalls).toBeUndefined();
  });

  it('keeps what was said before a stream failed', async () => {
    const { provider } = await connect({
      script: () => ({ recorded: 'runner_killed_mid_stream' }),
    });
    expect((await turn(provider)).message.content).toBe('1, 2,');
  });

  it('a window that the answer filled is an overflow, not a cut', async () => {
    const reply = {
      content: 'many words',
      doneReason: 'length',
      promptTokens: 4000,
      outputTokens: 96,
    };
    const { provider } = await connect({ script: () => reply });
    const result = await turn(provider);
    expect(result.status).toEqual(ofWindow(4096));
    expect(result.detail).toMatch(/4096 tokens was full/);
  });
});

describe('a prompt the server shortened without a word', () => {
  const long = Array.from({ length: 4000 }, (_, index) => `word${index}`).join(' ');

  it('is noticed when whole messages were dropped', async () => {
    const { provider } = await connect({ script: () => ({ recorded: 'overflow_truncate_true' }) });
    const result = await turn(provider, { messages: [{ role: 'user', content: long }] });
    expect(result.status).toEqual(OVERFLOW);
    expect(result.detail).toMatch(/shortened without notice/);
  });

  it.each([2050, 2051])('is noticed when it was halved to %i tokens', async (promptTokens) => {
    const { provider } = await connect({ script: () => ({ content: 'ok', promptTokens }) });
    const code = 'value=compute(first,second)+third;'.repeat(600);
    const result = await turn(provider, { messages: [{ role: 'user', content: code }] });
    expect(result.status).toEqual(ofWindow(4096));
  });

  it('is not suspected where a short prompt happens to have half the window', async () => {
    const { provider } = await connect({ script: () => ({ content: 'ok', promptTokens: 2051 }) });
    expect((await turn(provider)).status).toEqual({ kind: 'success' });
  });
});

describe('servers that are not there', () => {
  const describeAt = async (host: string) => {
    const elsewhere = ollamaProvider({ host });
    try {
      return await elsewhere.describe('m', new AbortController().signal).catch((e: unknown) => e);
    } finally {
      await elsewhere.close();
    }
  };

  it('nobody listens: says how to start Ollama, and may be retried', async () => {
    const { server } = await connect({});
    const { url } = server;
    await server.close();
    expect(await describeAt(url)).toMatchObject({
      status: CUT,
      message: expect.stringContaining(`does not answer at ${url}`),
      hint: expect.stringMatching(/ollama serve.*where it runs/),
      option: 'host',
    });
  });

  it('a host that does not exist is not tried again', async () => {
    expect(await describeAt('http://no-such-host.invalid:11434')).toMatchObject({
      status: { kind: 'network_error' },
      option: 'host',
    });
  });

  it('a server that answers only to its own name says so with an empty body', async () => {
    const { server } = await connect({ hostNames: ['ollama.example'] });
    expect(await describeAt(server.url)).toMatchObject({
      status: { kind: 'auth_failed' },
      hint: expect.stringMatching(/OLLAMA_ORIGINS/),
    });
  });

  it('another server on that port is told from Ollama', async () => {
    const other = createServer((_, response) => response.end('<html>welcome</html>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const error = await describeAt(`http://127.0.0.1:${port}`);
    other.closeAllConnections();
    other.close();
    expect(error).toMatchObject({
      status: FAILED,
      message: expect.stringContaining("does not speak Ollama's language"),
    });
  });

  it('a 404 that is no answer of Ollama does not speak of a missing model', async () => {
    const { server } = await connect({
      routes: {
        'POST /api/show': { status: 404, body: '404 page not found', contentType: 'text/plain' },
      },
    });
    expect(await describeAt(server.url)).toMatchObject({
      message: expect.stringContaining('is not Ollama'),
    });
  });

  it('a server that sends on to another address is not followed, but named', async () => {
    const other = createServer((_, response) =>
      response.writeHead(308, { location: 'https://elsewhere.example/api/show' }).end(),
    );
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const error = await describeAt(`http://127.0.0.1:${port}`);
    other.closeAllConnections();
    other.close();
    expect(error).toMatchObject({
      status: FAILED,
      message: expect.stringContaining('https://elsewhere.example'),
    });
  });

  it('https asked of a server that speaks http is not tried again', async () => {
    const { server } = await connect({});
    expect(await describeAt(server.url.replace('http:', 'https:'))).toMatchObject({
      status: { kind: 'network_error', retryable: false },
      hint: expect.stringContaining('http or https'),
    });
  });
});

it('a token that a proxy is given is known to be secret, and in no sentence', async () => {
  const token = 'proxy-token-of-mine';
  const { server } = await connect({ script: () => error(403, `not with Bearer ${token}`) });
  const behind = ollamaProvider({
    host: server.url,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(behind.keys?.()).toEqual([`Bearer ${token}`, token]);
  const { status } = await turn(behind);
  expect(status.kind).not.toBe('success');
  const request = { ...requestOf(), model: 'qwen2.5-coder:1.5b' };
  const failing = (async () => {
    for await (const _ of behind.stream(request, new AbortController().signal));
  })();
  const thrown = await failing.catch((reason: Error) => reason);
  expect(String(thrown)).toContain('not with');
  expect(String(thrown)).not.toContain(token);
  await behind.close();
});

describe('the library is silent', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each<[string, Reply]>([
    [
      'an error without a body',
      { error: { status: 403, body: '', headers: { 'content-type': '' } } },
    ],
    ['a line that is not JSON', { raw: 'oops\n' }],
    ['an error in mid-stream', { recorded: 'runner_killed_mid_stream' }],
  ])('%s prints nothing', async (_, reply) => {
    const printed = (['log', 'warn', 'error', 'info'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => undefined),
    );
    const { provider } = await connect({ script: () => reply });
    expect((await turn(provider)).status.kind).not.toBe('success');
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });
});
