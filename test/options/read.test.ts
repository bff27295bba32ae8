import { describe, expect, test } from 'vitest';
import {
  checkOptions,
  optionsFromFlags,
  optionsFromVariables,
  wordsFor,
} from '../../src/options/read.ts';

describe('a limit on the command line', () => {
  test.each([
    ['maxTokens', '5000', 5000],
    ['maxTokens', '200k', 200_000],
    ['maxTokens', '4.1m', 4_100_000],
    ['maxTokens', '1.5M', 1_500_000],
    ['maxCost', '0.5', 0.5],
    ['maxCost', '5', 5],
    ['maxTimeMs', '90s', 90_000],
    ['maxTimeMs', '10m', 600_000],
    ['maxTimeMs', '2h', 7_200_000],
    ['maxTimeMs', '1h30m', 5_400_000],
    ['maxTimeMs', '1.5h', 5_400_000],
  ])('%s %s', (name, text, value) => {
    expect(optionsFromFlags({ [name]: [text] })).toEqual({ [name]: value });
  });

  test.each([
    ['maxTokens', '0'],
    ['maxTokens', '-5'],
    ['maxTokens', 'many'],
    ['maxTokens', '1.5'],
    ['maxCost', '0'],
    ['maxCost', '$5'],
    ['maxTimeMs', '10'],
    ['maxTimeMs', '0s'],
    ['maxTimeMs', '10 min'],
    ['maxTimeMs', '5d'],
  ])('%s %s is refused with an example', (name, text) => {
    expect(() => optionsFromFlags({ [name]: [text] })).toThrow(`"${text}"`);
  });
});

test.each(['workspace', 'roots'])(
  'a name of no folder is refused, not taken for this one: %s',
  (name) => {
    expect(() => optionsFromFlags({ [name]: [''] })).toThrow('names no folder');
  },
);

test('wishes are printed back as they can be typed, and what holds anyway is not', () => {
  const options = { maxTokens: 5000, maxCost: 0.5, maxTimeMs: 5_400_000, temperature: 0.2 };
  const all = () => true;
  expect(wordsFor(options, all).join(' ')).toBe('--max-tokens 5000 --max-cost 0.5 --max-time 90m');
  const words = { plainTry: false, keep: true, shell: false, allow: ['make', 'git *'] };
  expect(wordsFor(words, all)).toEqual([
    '--allow',
    'make',
    '--allow',
    'git *',
    '--keep',
    '--plan-first',
  ]);
  expect(wordsFor({ baseUrl: 'http://me:secret@h/v1' }, all).join(' ')).not.toContain('secret');
  expect(wordsFor({}, all)).toEqual([]);
});

test('a variable says what it says when it is set to anything', () => {
  expect(optionsFromVariables({ TARDIGRADE_NO_CONFIG: '0' })).toEqual({ ignoreSettings: true });
  expect(optionsFromVariables({ TARDIGRADE_NO_CONFIG: '' })).toEqual({});
});

describe('a program that gives', () => {
  test.each([
    ['temperature', 3, 'temperature is 3, and it must be 0 to 2.'],
    ['maxRounds', -1, 'maxRounds is -1, and it must be a whole number of at least 0.'],
    ['maxIterations', 0, 'maxIterations is 0, and it must be a whole number of at least 1.'],
    ['effort', 'huge', 'effort is "huge", and it must be one of: low, medium, high.'],
    ['allow', 'make', 'allow is "make", and it must be a list of texts.'],
    ['yes', 'yes', 'yes is "yes", and it must be true or false.'],
    ['deadlines', { idleMs: 'soon' }, 'deadlines.idleMs is "soon"'],
  ])('%s %j is told what it must give', (name, value, told) => {
    expect(() => checkOptions({ [name]: value })).toThrow(told);
  });

  test('what fits is told nothing', () => {
    checkOptions({
      seed: null,
      maxTokens: 0,
      instructions: ['A.md'],
      maxIterations: 1_000_000,
      host: 3,
    });
  });
});
