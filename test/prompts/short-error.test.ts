import { expect, it } from 'vitest';
import { isTellingLine } from '../../src/languages/test-output.ts';
import { shortError } from '../../src/prompts/short-error.ts';

const VERDICT = 'node a.mjs: it ended with exit code 1';
const HINT = 'Hint: A test must write the files it reads itself.';

it('of a long failure the verdict and the first telling lines are kept, each once, and the hint at its end', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `E   AssertionError: number ${index}`);
  const noise = Array.from({ length: 40 }, () => 'some lines of context');
  const short = shortError(
    [VERDICT, ...noise, ...lines, ...lines, ...noise, HINT].join('\n'),
    400,
    isTellingLine,
  );
  expect(short.length).toBeLessThanOrEqual(400);
  expect(short.split('\n').slice(0, 3)).toEqual([VERDICT, lines[0], lines[1]]);
  expect(short.split('\n').at(-1)).toBe(HINT);
  expect(short).not.toContain('context');
});

it('a short failure is told whole, and of one in which nothing tells anything its verdict and its end', () => {
  expect(shortError('boom', 400, isTellingLine)).toBe('boom');
  const nothing = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
  const short = shortError(`${VERDICT}\n${nothing}`, 400, isTellingLine);
  expect(short).toBe(`${VERDICT}\n…${nothing.slice(VERDICT.length - 400)}`);
});
