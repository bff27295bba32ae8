import { expect, test } from 'vitest';
import { costOf, knownModel } from '../../../src/llm/models/known-models.ts';
import { NO_USAGE } from '../../../src/schema/model/turn.ts';

const priceOf = (provider: string, model: string) => knownModel(provider, model)!.price!;

test.each([
  ['anthropic', 'claude-opus-5-5', 1_000_000, 4],
  ['anthropic', 'claude-haiku-4-5-20251001', 200_000, 1],
  ['openai', 'gpt-5-mini-2025-08-07', 400_000, 0.25],
  ['openrouter', 'anthropic/claude-opus-4.8', 1_000_000, 5],
  ['openrouter', 'openai/gpt-4o', 128_000, 2.5],
])('%s %s has a window of %d and costs $%d a million', (provider, model, window, input) => {
  expect(knownModel(provider, model)).toMatchObject({ window, price: { input } });
});

test('a name is never taken for the one it begins with', () => {
  expect(priceOf('anthropic', 'claude-sonnet-5-5').cacheRead).toBe(0.1);
  expect(priceOf('anthropic', 'claude-sonnet-5').cacheRead).toBe(0.2);
  expect(knownModel('openai', 'gpt-5-new')).toEqual({ window: 128_000, price: null });
});

test('a model newer than the table has the window of its family and no price', () => {
  expect(knownModel('anthropic', 'claude-next-9')).toEqual({ window: 200_000, price: null });
});

test('what runs here, and what nobody has heard of, is not in it', () => {
  expect(knownModel('ollama', 'gpt-4o')).toBe(null);
  expect(knownModel('openai', 'some-model')).toBe(null);
  expect(knownModel('openai', 'constructor')).toBe(null);
});

test('every class of tokens has its own price', () => {
  const price = { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 2 };
  const usage = { ...NO_USAGE, input: 1e6, output: 1e6, thinking: 1e6 };
  expect(costOf({ ...usage, cacheRead: 1e6, cacheWrite: 1e6 }, price)).toBeCloseTo(23.1);
  expect(costOf(NO_USAGE, price)).toBe(0);
});

test('a long prompt is paid for at the higher rates, all of it', () => {
  const price = priceOf('anthropic', 'claude-haiku-5-5');
  const short = costOf({ ...NO_USAGE, input: 60_000, cacheRead: 40_000, output: 1000 }, price);
  const long = costOf({ ...NO_USAGE, input: 60_001, cacheRead: 40_000, output: 1000 }, price);
  expect(long / short).toBeCloseTo(5, 3);
});
