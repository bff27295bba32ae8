import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { anthropicProvider } from '../../../src/llm/anthropic/anthropic-provider.ts';
import { turnCost } from '../../../src/llm/models/turn-cost.ts';
import { takeTurn } from '../../../src/llm/turn/take-turn.ts';
import { errorBody } from '../../support/fake-anthropic.ts';
import { ManualClock, requestOf } from '../support.ts';
import { answering, anySignal, KEY } from './support.ts';

describe('an attempt that breaks off', () => {
  it.each([
    ['by a cut connection', { cut: 'after content' as const }],
    ['by an error in mid-stream', { errorEvent: errorBody('overloaded_error', 'Overloaded') }],
  ])('%s still counts what the server had told, and costs it', async (_, how) => {
    const { ask } = await answering({ content: 'half', usage: { input_tokens: 70 }, ...how });
    const { status, usage } = await ask();
    expect(status.kind).not.toBe('success');
    expect(usage).toMatchObject({ input: 70, output: 1 });
    const cost = turnCost({ provider: 'anthropic', model: 'claude-sonnet-5-5' }, usage);
    expect(cost.cost).toBeGreaterThan(0);
  });

  it('counts what came later instead of what came first, not both', async () => {
    const { ask } = await answering({ content: 'whole', usage: { input_tokens: 70 } });
    const { events, usage } = await ask();
    const told = events.flatMap((event) => (event.type === 'usage' ? [event.usage.output] : []));
    expect(told).toEqual([1, 15]);
    expect(usage).toMatchObject({ input: 70, output: 15 });
  });
});

describe('a server that takes a connection and then says nothing', () => {
  it('is given up when the time to connect is over, and may be tried again', async () => {
    const mute = createServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    // The connection stands when both sides have agreed on keys, which never happens here.
    const provider = anthropicProvider({ apiKey: KEY, baseUrl: `https://127.0.0.1:${port}` });
    const result = await takeTurn(provider, requestOf(), {
      signal: anySignal(),
      clock: new ManualClock(),
      deadlines: { connectMs: 20 },
    });
    expect(result.status).toEqual({ kind: 'network_error', retryable: true });
    await provider.close();
    mute.close();
  });
});
