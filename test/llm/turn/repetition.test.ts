import { describe, expect, it } from 'vitest';
import { repetitionWatch } from '../../../src/llm/turn/repetition.ts';

/** What is said of a text that comes in pieces of `size` characters. */
function verdict(text: string, size = 7): string | null {
  const watch = repetitionWatch();
  for (let at = 0; at < text.length; at += size) {
    const problem = watch(text.slice(at, at + size));
    if (problem !== null) return problem;
  }
  return null;
}

const block = (lines: number): string =>
  Array.from({ length: lines }, (_, n) => `line ${n} of the block\n`).join('');

describe('An answer is cut off', () => {
  it.each([
    ['when one line comes again and again', 'x = x + 1\n'.repeat(40)],
    ['when two lines take turns, with blank ones between', 'def a():\n\n    pass\n\n'.repeat(40)],
    ['when a block of 20 lines comes again and again', block(20).repeat(8)],
    ['when a block of 48 lines comes again and again', block(48).repeat(8)],
    ['when it repeats itself after a good start', `${block(60)}${block(9).repeat(8)}`],
    ['when one line never ends', `{"path": "${'a/b/c/'.repeat(600)}`],
    ['when only white space comes', ' \n'.repeat(2000)],
  ])('%s', (_, text) => {
    for (const size of [1, 7, 10_000]) expect(verdict(text, size)).toMatch(/repeats|white space/);
  });
});

describe('An answer is let through', () => {
  it.each([
    ['with thirty equal lines', `${'0 0 0\n'.repeat(30)}end\n`],
    ['with a block that comes four times', block(20).repeat(4)],
    [
      'with many lines of one shape',
      Array.from({ length: 400 }, (_, n) => `${n},${n * n}\n`).join(''),
    ],
    ['with a long line of data', Array.from({ length: 4000 }, (_, n) => n * n).join(',')],
    ['with a ruler of 1,000 signs', `${'='.repeat(1000)}\n`.repeat(2)],
    ['with much indentation', `${' '.repeat(2000)}x\n${' '.repeat(2000)}y\n`],
  ])('%s', (_, text) => {
    for (const size of [1, 7, 10_000]) expect(verdict(text, size)).toBeNull();
  });
});

describe('An answer that only counts on', () => {
  const counted = (text: string, counts: boolean): string | null => {
    const watch = repetitionWatch({ counts });
    const problems = text.match(/.{1,7}|\n/g)?.map((piece) => watch(piece)) ?? [];
    return problems.find((problem) => problem !== null) ?? null;
  };
  const lines = (line: (n: number) => string, count = 40): string =>
    Array.from({ length: count }, (_, n) => `${line(n)}\n`).join('');
  const upTo = (n: number): string => Array.from({ length: n + 1 }, (_, at) => at).join(', ');

  it.each([
    ['by one', lines((n) => `    assert cost(180, ${n}) == 990`)],
    ['by one more in a list', lines((n) => `  assert.equal(most([${upTo(n)}]), ${n});`)],
    ['in figures with points', lines((n) => `expect(half(${n})).toBe(${n / 2});`)],
  ])('is cut off where figures say nothing new: %s', (_, text) => {
    expect(counted(text, true)).toMatch(/repeats itself/);
    expect(counted(text, false)).toBeNull();
  });

  it.each([
    ['a few of one kind', lines((n) => `    assert cost(180, ${n}) == 990`, 16)],
    ['words that differ', lines((n) => `assert roman(${n}) == "${'I'.repeat(n + 1)}"`)],
    ['rows of figures alone', lines((n) => `  [${n}, ${n * n}],`)],
  ])('is let through: %s', (_, text) => {
    expect(counted(text, true)).toBeNull();
  });
});
