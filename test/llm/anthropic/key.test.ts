import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { anthropicProvider } from '../../../src/llm/anthropic/anthropic-provider.ts';
import { type AnthropicReply, errorBody } from '../../support/fake-anthropic.ts';
import { answering, anySignal, connect, KEY, rejected } from './support.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const everything = (value: unknown): string =>
  inspect(value, { depth: 20, showHidden: true, maxStringLength: null });

const echo = `The key ${KEY} (Bearer ${KEY}) is wrong`;

const LEAKS: readonly [string, AnthropicReply][] = [
  ['an error body', { error: { status: 401, body: errorBody('authentication_error', echo) } }],
  ['an error page', { error: { status: 502, body: `<p>${echo}</p>` } }],
  ['an error in mid-stream', { content: 'x', errorEvent: errorBody('api_error', echo) }],
  [
    'an event of unknown form',
    { raw: `event: message_delta\ndata: {"type":"message_delta","x":"${KEY}"}\n\n` },
  ],
  ['an event that is not JSON', { raw: `event: message_stop\ndata: ${KEY}\n\n` }],
  [
    'a redirect',
    { error: { status: 307, body: '', headers: { location: `https://x.example/?${KEY}` } } },
  ],
  ['a cut connection', { cut: 'before headers' }],
];

describe('the key', () => {
  it('goes out as the API wants it, and nowhere else', async () => {
    const { ask, server } = await connect();
    expect((await ask()).status).toEqual({ kind: 'success' });
    for (const { authorization, ...others } of server.headers) {
      expect(authorization).toBe(`Bearer ${KEY}`);
      expect(everything(others)).not.toContain(KEY);
    }
    expect(server.raw.join()).not.toContain(KEY);
  });

  it.each(LEAKS)('is in nothing that is told or printed of %s', async (_, reply) => {
    const printed = (['log', 'warn', 'error', 'info', 'debug'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => undefined),
    );
    const { ask, provider } = await answering(reply, { models: null });
    const result = await ask();
    expect(result.status.kind).not.toBe('success');
    expect(everything(result)).not.toContain(KEY);
    const thrown = await rejected(
      (async () => {
        for await (const _ of provider.stream(
          {
            model: 'claude-sonnet-5-5',
            messages: [{ role: 'user', content: 'hi' }],
            temperature: 0,
            seed: 0,
            contextWindow: 4096,
            maxOutputTokens: 16,
          },
          anySignal(),
        ));
      })(),
    );
    expect(thrown).toBeInstanceOf(Error);
    expect(everything(thrown)).not.toContain(KEY);
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });

  it.each([
    ['', /no API key/],
    [undefined as never, /no API key/],
    [`${KEY}\nextra`, /blanks or characters/],
    ['schlüssel', /blanks or characters/],
  ])('%j is refused before anything is sent, without being told', async (apiKey, says) => {
    const provider = anthropicProvider({ apiKey });
    const thrown = await rejected(provider.list(anySignal()));
    expect(thrown).toMatchObject({
      status: { kind: 'auth_failed' },
      message: expect.stringMatching(says),
      hint: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
    if (apiKey) expect(everything(thrown)).not.toContain(apiKey.slice(0, 8));
  });

  it('and those in headers of a gateway are known to be secret, and in no sentence', async () => {
    const token = 'gateway-token-of-mine';
    const text = `wrong: Bearer ${token}, ${token} and ${KEY}`;
    const { ask, provider } = await answering(
      { error: { status: 401, body: errorBody('authentication_error', text) } },
      { models: null },
      { headers: { 'X-Gateway-Authorization': `Bearer ${token}`, 'x-team': 'mine' } },
    );
    expect(provider.keys?.()).toEqual([`Bearer ${token}`, KEY, token]);
    expect(everything(await ask())).not.toMatch(new RegExp(`${token}|${KEY}`));
  });

  it('may be missing for a server of one’s own', async () => {
    const { ask, server } = await answering(
      { content: 'hi' },
      { apiKey: undefined as never },
      { apiKey: '' },
    );
    expect((await ask()).status).toEqual({ kind: 'success' });
    expect(server.headers[0]?.authorization).toBeUndefined();
  });

  it('is not taken from the environment, nor is anything else', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'other-key');
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'other-token');
    vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:9');
    vi.stubEnv('ANTHROPIC_LOG', 'debug');
    vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', 'authorization: Bearer stolen\nx-extra: 1');
    const printed = (['log', 'info', 'debug'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => undefined),
    );
    const { ask, server } = await connect({}, { headers: { 'x-gateway': 'mine' } });
    expect((await ask()).status).toEqual({ kind: 'success' });
    expect(server.headers.at(-1)).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'x-gateway': 'mine',
    });
    expect(server.headers.at(-1)).not.toHaveProperty('x-extra');
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });
});
