import { expect, it } from 'vitest';
import { isTellingLine } from '../../src/languages/test-output.ts';
import { shortError } from '../../src/prompts/short-error.ts';

const HINT = 'Hint: A test must write the files it reads itself.';

it('of a long failure the first telling lines are kept, each once, and the hint at its end', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `E   AssertionError: number ${index}`);
  const noise = Array.from({ length: 40 }, () => 'some lines of context');
  const short = shortError(
    [...noise, ...lines, ...lines, ...noise, HINT].join('\n'),
    400,
    isTellingLine,
  );
  expect(short.length).toBeLessThanOrEqual(400);
  expect(short.split('\n').slice(0, 2)).toEqual([lines[0], lines[1]]);
  expect(short.split('\n').at(-1)).toBe(HINT);
  expect(short).not.toContain('context');
});

it('a short failure is told whole, and the end of one in which nothing tells anything', () => {
  expect(shortError('boom', 400, isTellingLine)).toBe('boom');
  const nothing = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
  expect(shortError(nothing, 400, isTellingLine)).toBe(`…${nothing.slice(-400)}`);
});
