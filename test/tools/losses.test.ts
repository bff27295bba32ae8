import { describe, expect, it } from 'vitest';
import { lossesOf } from '../../src/tools/losses.ts';

const lines = (count: number, first = 1): string =>
  Array.from({ length: count }, (_, index) => `line ${first + index}\n`).join('');

describe('What a new content loses', () => {
  it.each([
    ['the same', 'a.txt', lines(20), lines(20), null],
    ['more than there was', 'a.txt', lines(20), lines(30), null],
    ['other words in as many lines', 'a.txt', lines(20), lines(20, 100), null],
    ['less than a fifth of the lines', 'a.txt', lines(20), lines(17), null],
    ['a fifth of them', 'a.txt', lines(20), lines(16), '4 of 20 lines'],
    ['all of them', 'a.txt', lines(40), '', '40 of 40 lines'],
    ['blank lines alone', 'a.txt', lines(20).replaceAll('\n', '\n\n'), lines(20), null],
    ['most of a file of nine lines', 'a.txt', lines(9), lines(1), null],
    ['a definition of a short file', 'a.py', 'def a(): ...\ndef b(): ...\n', 'def a(): ...\n', 'b'],
    ['a definition that moved', 'a.py', 'A = 1\ndef b(): ...\n', 'def b(): ...\nA = 2\n', null],
    ['a renamed one', 'a.mjs', 'export function add() {}\n', 'export function plus() {}\n', 'add'],
    ['a Go function', 'a.go', 'package a\n\nfunc Add() {}\n', 'package a\n', 'Add'],
    ['names that are prose', 'a.md', 'def a(): ...\n', 'nothing\n', null],
    [
      'a program for a short text',
      'a.txt',
      'one two\n',
      'def count(): ...\n',
      'all that was in it',
    ],
    ['a program for data', 'a.csv', 'day,sum\n1,2\n', 'const a = 1;\n', 'all that was in it'],
    [
      'a few statements for data',
      'a.csv',
      'good,sum\nmirror,2\n',
      '# Adding a lantern\nlines = f.readlines()\nlines.append("lantern,3")\nlines.sort()\n',
      'all that was in it',
    ],
    ['data in another order and form', 'a.csv', 'b,1\na,2\n', 'a;2\nb;1\n', null],
    ['a text with code added', 'a.md', '# A\n', '# A\n\ndef a(): ...\n', null],
    ['a text in other words', 'a.txt', 'one two\n', 'eins zwei\n', null],
    ['settings with other values', 'a.ini', 'a = 1\n', 'a = 2\n', null],
    ['code for prose', 'a.py', 'def a(): ...\nB = 1\n', 'All tests pass.\n', 'a and B'],
  ])('%s', (_, path, before, after, lost) => {
    expect(lossesOf(path, before, after)).toBe(lost);
  });

  it('names five definitions, counts the others, and says the lines beside', () => {
    const before = [...'abcdefgh'].map((name) => `def ${name}():\n    pass\n`).join('');
    expect(lossesOf('m.py', before, 'def h(): ...\n')).toBe(
      'a, b, c, d, e, 2 more names and 15 of 16 lines',
    );
  });
});
