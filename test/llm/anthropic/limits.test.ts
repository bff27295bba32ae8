import { describe, expect, it } from 'vitest';
import { turnCost } from '../../../src/llm/models/turn-cost.ts';
import { errorBody } from '../../support/fake-anthropic.ts';
import { answering } from './support.ts';

it('a count below nothing is no count', async () => {
  const { ask } = await answering({ content: 'whole', usage: { input_tokens: -70 } });
  const { status, usage } = await ask();
  expect([status.kind, usage.input, usage.output]).toEqual(['success', 0, 15]);
});

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
