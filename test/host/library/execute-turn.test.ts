import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { executeTurn } from '../../../src/compat.ts';
import type { ProviderStatus } from '../../../src/index.ts';
import { LARGE, SCRIPTED_MODEL, scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld } from '../../support/test-machine.ts';

const asked = (reply: Parameters<typeof scriptedProvider>[0]) => ({
  ...{ provider: scriptedProvider(reply, LARGE), model: SCRIPTED_MODEL },
  messages: [{ role: 'user', content: 'Hello' }] as const,
  machine: testWorld().machine(),
});

test('one request ends in an answer, or in calls that nobody makes', async () => {
  expect(await executeTurn(asked(() => 'Hi.'))).toMatchObject({
    status: { type: 'success', hasToolCalls: false, finalAnswer: true },
    ...{ response: 'Hi.', latencyMs: 0, tokens: { input: 0, output: 0 } },
  });
  const called = await executeTurn(asked(() => ({ calls: [{ name: 'add', args: { a: 1 } }] })));
  expect(called.status).toEqual({ type: 'success', hasToolCalls: true, finalAnswer: false });
  expect(called.toolCalls).toMatchObject([{ name: 'add', args: { a: 1 } }]);
  expect(called.response).toBeUndefined();
});

test.each<[ProviderStatus, object]>([
  [
    { kind: 'rate_limited', retryAfterMs: 5 },
    { type: 'rate_limit', retryAfterMs: 5 },
  ],
  [{ kind: 'auth_failed' }, { type: 'auth_error' }],
  [{ kind: 'quota_exceeded' }, { type: 'quota_exceeded' }],
  [{ kind: 'context_overflow' }, { type: 'context_overflow' }],
  [
    { kind: 'model_error', retryable: true },
    { type: 'model_error', retryable: true },
  ],
  [
    { kind: 'network_error', retryable: false },
    { type: 'network_error', retryable: false },
  ],
  [{ kind: 'timeout' }, { type: 'timeout' }],
  [{ kind: 'invalid_response' }, { type: 'invalid_response' }],
  [{ kind: 'refused' }, { type: 'refused' }],
])('%o has its public name', async (fails, status) => {
  const turn = await executeTurn(asked(() => ({ fails })));
  const message = fails.kind === 'rate_limited' ? {} : { message: `scripted ${fails.kind}` };
  expect(turn.status).toEqual({ ...status, ...message });
});

test('a request that is cut off, stopped, or makes no sense', async () => {
  const cut = await executeTurn(asked(() => ({ text: 'half', isCutOff: true })));
  expect(cut).toMatchObject({ status: { type: 'truncated' }, response: 'half' });
  const stopped = await executeTurn({ ...asked(() => 'Hi.'), signal: AbortSignal.abort() });
  expect(stopped.status.type).toBe('aborted');
  await expect(executeTurn({ ...asked(() => ''), messages: [] })).rejects.toThrow('no messages');
});

test('any number of requests at once may share a signal: none listens to it itself', async () => {
  const { signal } = new AbortController();
  const listeners: number[] = [];
  const reply = () => {
    listeners.push(getEventListeners(signal, 'abort').length);
    return 'Hi.';
  };
  await Promise.all([1, 2, 3].map(() => executeTurn({ ...asked(reply), signal })));
  expect(listeners).toEqual([0, 0, 0]);
});
