import { describe, expect, it } from 'vitest';
import { installFailure } from '../../../src/llm/embedded/install-failure.ts';
import { isOffline, networkError, networkFailure } from '../../../src/llm/http/network-failures.ts';

const coded = (code: string, message = `something ${code}`): Error =>
  Object.assign(new Error(message), { code });

const asked = {
  url: 'https://models.example',
  silence: 'The oracle does not answer',
  hints: { silent: 'wake it', unknownName: 'spell it', cut: 'mend it', address: 'look it up' },
};

describe('what a request threw', () => {
  it.each([
    ['as Node throws it', coded('ECONNREFUSED')],
    ['wrapped by fetch', new TypeError('fetch failed', { cause: coded('ECONNREFUSED') })],
    [
      'as several attempts, wrapped by an SDK',
      new Error('Connection error.', {
        cause: new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')], ''),
      }),
    ],
  ])('is told by its code, %s', (_, thrown) => {
    expect(networkFailure(thrown)).toMatchObject({
      kind: 'refused',
      code: 'ECONNREFUSED',
      cause: { message: 'something ECONNREFUSED' },
    });
  });

  it('is never told by its message', () => {
    expect(networkFailure(new Error('connect ECONNREFUSED'))).toMatchObject({
      kind: 'other',
      code: '',
    });
    expect(networkFailure('ECONNRESET').cause.message).toBe('ECONNRESET');
  });

  it('ends with an error that is its own cause', () => {
    const loop = new Error('round and round');
    loop.cause = loop;
    expect(networkFailure(loop)).toMatchObject({ kind: 'other' });
  });
});

describe('a failure of the network', () => {
  it.each([
    ['ECONNREFUSED', true, 'The oracle does not answer at https://models.example (ECONN', 'wake'],
    ['EHOSTUNREACH', true, 'does not answer', 'wake it'],
    ['ETIMEDOUT', true, 'does not answer', 'wake it'],
    ['ENOTFOUND', false, 'The host of https://models.example is not known', 'spell it'],
    ['EAI_AGAIN', true, 'is not known (EAI_AGAIN)', 'spell it'],
    ['ECONNRESET', true, 'The connection to https://models.example was cut.', 'mend it'],
    ['ECONNABORTED', true, 'was cut', 'mend it'],
    ['SELF_SIGNED_CERT_IN_CHAIN', false, 'certificate of https://models', 'NODE_EXTRA_CA_CERTS'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', false, 'No request can be sent', 'look it up'],
    ['ERR_INVALID_CHAR', false, 'something ERR_INVALID_CHAR', 'look it up'],
    ['', false, 'No request can be sent to https://models.example: something .', 'look it up'],
  ])('%s: retryable %s, "%s"', (code, retryable, message, hint) => {
    expect(networkError(coded(code), asked)).toMatchObject({
      status: { kind: 'network_error', retryable },
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
  });

  it('is an absence of any way there for some codes only', () => {
    const kinds = ['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'ECONNREFUSED', 'ECONNRESET'];
    expect(kinds.map((code) => isOffline(networkFailure(coded(code)).kind))).toEqual([
      ...[true, true, true, true],
      false,
    ]);
  });

  it.each(['ETIMEDOUT', 'ENOTCACHED', 'EAI_AGAIN'])('npm says %s, too', (code) => {
    const output = `npm error code ${code}\nnpm error network`;
    const outcome = { kind: 'exited', output, exitCode: 1 } as Parameters<typeof installFailure>[0];
    expect(installFailure(outcome, '/data', {}).message).toContain(
      `cannot reach its registry (${code}`,
    );
  });
});
