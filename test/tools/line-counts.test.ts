import { diffArrays } from 'diff';
import { describe, expect, it } from 'vitest';
import { runSync } from '../../src/lib/interruptible.ts';
import { countingLines } from '../../src/tools/files/line-counts.ts';
import { fc } from '../support/dice.ts';

const counts = (before: string | null, after: string) =>
  runSync(countingLines(before === null ? null : Buffer.from(before), Buffer.from(after)));

describe('the lines of a change', () => {
  it.each([
    ['a new file', null, 'a\nb\n', 2, 0],
    ['a last line without an end', null, 'a\nb', 2, 0],
    ['the same again', 'a\nb\n', 'a\nb\n', 0, 0],
    ['an emptied file', 'a\nb\n', '', 0, 2],
    ['a line changed in the middle', 'a\nb\nc\n', 'a\nx\nc\n', 1, 1],
    ['a line moved', 'a\nb\nc\nd\n', 'b\nc\nd\na\n', 0, 0],
    ['lines put in at two places', 'a\nb\nc\n', 'a\nx\nb\ny\nc\n', 2, 0],
    ['one line repeated', 'a\na\n', 'a\na\na\n', 1, 0],
  ])('are counted: %s', (_, before, after, added, removed) => {
    expect(counts(before, after)).toEqual({ added, removed });
  });

  it('are not counted where there is no text', () => {
    expect(runSync(countingLines(new Uint8Array([0, 1, 2, 0]), Buffer.from('a\n')))).toBeNull();
  });

  it('are counted of two long texts that have nothing in common', () => {
    const [one, other] = ['a', 'b'].map((word) =>
      Array.from({ length: 20_000 }, (_, index) => `${word}${index}`).join('\n'),
    );
    expect(counts(one ?? '', other ?? '')).toEqual({ added: 20_000, removed: 20_000 });
  });

  it('are never more than those of a diff, and as many more or fewer in all', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const parts = diffArrays(before, after);
        const sum = (key: 'added' | 'removed') =>
          parts.reduce((total, part) => total + (part[key] ? part.value.length : 0), 0);
        const text = (all: readonly string[]) => all.map((line) => `${line}\n`).join('');
        const { added, removed } = counts(text(before), text(after)) ?? { added: -1, removed: -1 };
        expect(added).toBeLessThanOrEqual(sum('added'));
        expect(added - removed).toBe(after.length - before.length);
      }),
    );
  });
});
