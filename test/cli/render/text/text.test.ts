import { expect, test } from 'vitest';
import {
  count,
  cut,
  duration,
  oneLine,
  sanitize,
  widthOf,
} from '../../../../src/cli/render/text/text.ts';
import { anyText } from '../../../support/any-text.ts';
import { fc } from '../../../support/dice.ts';

test.each([
  ['plain text stays', 'plain text stays'],
  ['red \u001b[31mword\u001b[0m', 'red word'],
  ['clear \u001b[2J\u001b[H screen', 'clear  screen'],
  ['title \u001b]0;evil\u0007 set', 'title  set'],
  ['link \u001b]8;;http://x\u001b\\text', 'link text'],
  ['bell \u0007 back\u0008space', 'bell  backspace'],
  ['eight bit \u009b31mred', 'eight bit red'],
  ['over\rwritten', 'over\nwritten'],
  ['windows\r\nline', 'windows\nline'],
  ['tab\there', 'tab  here'],
  ['bidi \u202eevil\u202c', 'bidi evil'],
  ['hid\u200bden', 'hidden'],
  ['half \ud800 pair', 'half \ufffd pair'],
])('%j is shown as %j', (text, shown) => {
  expect(sanitize(text)).toBe(shown);
});

test('no text whatever can put a control character on the screen', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(sanitize(text)).toMatch(/^[^\p{Cc}]*$|\n/u);
      expect(sanitize(text).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    }),
  );
});

test('a cut text never takes more cells than it may', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, width) => {
      expect(widthOf(cut(text, width))).toBeLessThanOrEqual(width);
    }),
  );
});

test('wide characters count two cells, marks none', () => {
  expect(widthOf('日本')).toBe(4);
  expect(widthOf('e\u0301')).toBe(1);
  expect(widthOf('✓ ok')).toBe(4);
  expect(cut('日本語', 5)).toBe('日本…');
});

test('a line has no line breaks', () => {
  expect(oneLine('  one\n\n two\tthree ')).toBe('one two three');
});

test.each([
  [0, '0 ms'],
  [12.4, '12 ms'],
  [1234, '1.2 s'],
  [25_900, '25 s'],
  [125_000, '2 min 05 s'],
  [3_725_000, '1 h 02 min'],
])('%i ms is %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test('numbers are grouped the same way everywhere', () => {
  expect([0, 999, 1000, 1_234_567].map(count)).toEqual(['0', '999', '1,000', '1,234,567']);
});
