import { describe, expect, test } from 'vitest';
import { limitsToGoOn, limitWords, parseLimits } from '../../src/cli/limits.ts';
import { adviceIn, type OptionName } from '../../src/lib/errors.ts';

const parse = (options: { readonly [name: string]: string }) =>
  parseLimits((name) => options[name] ?? null);
const NONE = { maxTokens: null, maxCost: null, maxTimeMs: null };

describe('a limit on the command line', () => {
  test.each([
    ['maxTokens', '5000', 5000],
    ['maxTokens', '200k', 200_000],
    ['maxTokens', '1.5M', 1_500_000],
    ['maxCost', '0.5', 0.5],
    ['maxCost', '5', 5],
  ])('--%s %s', (name, text, value) => {
    expect(parse({ [name]: text })).toEqual({ ...NONE, [name]: value });
  });

  test.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
  ])('--max-time %s', (text, ms) => {
    expect(parse({ maxTime: text })).toEqual({ ...NONE, maxTimeMs: ms });
  });

  test.each([
    ['maxTokens', '0'],
    ['maxTokens', '-5'],
    ['maxTokens', 'many'],
    ['maxTokens', '1.5'],
    ['maxCost', '0'],
    ['maxCost', '$5'],
    ['maxTime', '10'],
    ['maxTime', '0s'],
    ['maxTime', '10 min'],
    ['maxTime', '5d'],
  ])('--%s %s is refused with an example', (name, text) => {
    expect(() => parse({ [name]: text })).toThrow(`"${text}"`);
  });
});

test('limits are printed back as they can be typed', () => {
  const limits = { maxTokens: 5000, maxCost: 0.5, maxTimeMs: 5_400_000 };
  expect(limitWords(limits).join(' ')).toBe('--max-tokens 5000 --max-cost 0.5 --max-time 90m');
  expect(limitWords(NONE)).toEqual([]);
});

test('to go on, a limit of the whole run is raised and one from now on stays', () => {
  const given = { maxTokens: 1000, maxCost: 1, maxTimeMs: 60_000 };
  const after = (option?: OptionName, optionValue?: string) =>
    limitsToGoOn(given, adviceIn({ option, optionValue }));
  expect(after('maxTokens', '2300')).toEqual({ ...given, maxTokens: 2300 });
  expect(after('maxCost', '2.02')).toEqual({ ...given, maxCost: 2.02 });
  expect(after('maxTimeMs', '60000')).toEqual(given);
  expect(after('contextWindow', '16384')).toEqual(given);
  expect(after()).toEqual(given);
});
