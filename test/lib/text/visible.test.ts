import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isVisible, visible, visibleWord } from '../../../src/lib/text/visible.ts';
import { anyText } from '../../support/any-text.ts';
import { fc } from '../../support/dice.ts';

const HIDDEN = ['\n', '\t', '\u001b[2J', '\u200b', '\u202e', '\u{e0041}', '\u0007', '\u2028'];

describe('text of which nothing is hidden', () => {
  it('names every character that cannot be seen, and leaves out none', () => {
    expect(visible('print 1; # tidy\nopen(F)')).toBe('print 1; # tidy\\nopen(F)');
    expect(visible('a\u200b.tar')).toBe('a\\u{200b}.tar');
    expect(visible('a b/ö.txt')).toBe('a b/ö.txt');
    const hidden = fc.constantFrom(...HIDDEN);
    fc.assert(
      fc.property(anyText(), hidden, fc.string(), (before, mark, after) => {
        const text = `${before}${mark}${after}`;
        expect(isVisible(visible(text))).toBe(true);
        expect(visible(text)).not.toBe(visible(`${before}${after}`));
      }),
    );
  });

  it.skipIf(process.platform === 'win32')('is the same word to a shell that reads it back', () => {
    const words = [...HIDDEN.map((mark) => `it's a\\b${mark}c`), 'print 1;\n\nx', '\u200b'];
    const line = `printf '%s\\0' ${words.map(visibleWord).join(' ')}`;
    expect(isVisible(line)).toBe(true);
    const read = execFileSync('bash', ['-c', line]).toString();
    expect(read.split('\0')).toEqual([...words, '']);
  });
});
