import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import type { OpenAiReply } from '../../support/fake-openai.ts';
import { emptyBody, midStream, openAiError } from '../../support/fake-openai-bodies.ts';
import { requestOf, turn } from '../support.ts';
import { AUTH, CRASHED } from './error-rows.ts';
import { answering, connect, KEY } from './support.ts';

describe('the key', () => {
  const echo = (headers: { authorization?: string | undefined }): string =>
    `bad request with ${headers.authorization} and x-api-key extra-secret`;
  const settings = { headers: { 'X-Api-Key': 'extra-secret' } };

  it.each([400, 401, 403, 404, 429, 500, 502])(
    'is sent, and stands in no message of a %i',
    async (status) => {
      const { provider, server } = await connect(
        { script: (_, __, headers) => openAiError(status, echo(headers)) },
        settings,
      );
      const result = await turn(provider);
      expect(server.headers[0]).toMatchObject({
        authorization: `Bearer ${KEY}`,
        'x-api-key': 'extra-secret',
      });
      expect(result.detail).toContain('[secret removed]');
      expect(inspect(result, { depth: 9 })).not.toMatch(/sk-test|extra-secret/);
    },
  );

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
    ['an event that is not JSON', { stream: 'data: oops\n\n' }],
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
