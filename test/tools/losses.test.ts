import { describe, expect, it } from 'vitest';
import { droppedText } from '../../src/tools/files/losses.ts';

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
    expect(droppedText(path, before, after)).toBe(lost);
  });

  describe('of a name that the goal names', () => {
    const WAS = 'def sum_due(x):\n    return x\n\n\ndef b():\n    return 2\n';
    const lost = (goal: string, is: string) =>
      droppedText('m.py', WAS, is, { isNamed: (word) => goal.split(/[^\w]+/).includes(word) });
    const IS = WAS.replace('sum_due', 'total_due');

    it.each([
      'Rename sum_due to total_due',
      'Benenne sum_due in total_due um',
      '把 sum_due 改名为 total_due',
    ])('beside the one that takes its place, nothing is lost: %s', (goal) => {
      expect(lost(goal, IS)).toBe(null);
    });

    it.each([
      ['the new name is another one', 'Rename sum_due to total', IS, 'sum_due'],
      [
        'nothing takes its place',
        'Rename sum_due to total_due',
        WAS.slice(WAS.indexOf('def b')),
        'sum_due',
      ],
      ['the old name is not named', 'Add total_due', IS, 'sum_due'],
      [
        'one takes the place of two',
        'Put sum_due and b into total_due',
        'def total_due(x):\n    return x\n',
        'b',
      ],
    ])('but where %s it is', (_, goal, is, name) => {
      expect(lost(goal, is)).toBe(name);
    });
  });

  describe('that has moved to another file', () => {
    const BOTH = 'def a(x):\n    y = x + 1\n    return y\n\n\ndef b():\n    return 2\n';
    const REST = 'from parts import a\n\n\ndef b():\n    return 2\n';
    const MOVED = 'def a(x):\n    y = x + 1\n    return y\n';
    const lost = (after: string, parts: string | null) =>
      droppedText('m.py', BOTH, after, {
        textOf: (path) => (path === 'parts.py' ? parts : null),
      });

    it('is lost where the new content takes it from the very file that it replaces', () => {
      const after = 'from m import a, b\n\n__all__ = ["a", "b"]\n';
      const itself = (path: string): string | null => (path === 'm.py' ? BOTH : null);
      expect(droppedText('m.py', BOTH, after, { textOf: itself })).toBe('a and b');
    });

    it.each([
      ['is not lost', REST, MOVED, null],
      ['is lost where the other file only has its name', REST, 'def a(x): ...\n', 'a'],
      ['is lost where there is no such file', REST, null, 'a'],
      ['is lost where nothing takes it from there', REST.replace(' a\n', ' c\n'), MOVED, 'a'],
      ['does not take others with it', 'from parts import a\n', MOVED, 'b'],
    ])('%s', (_, after, parts, names) => {
      expect(lost(after, parts)).toBe(names);
    });

    it('does not count among the lines that are gone', () => {
      const long = `def a():\n${'    print(1)\n'.repeat(20)}\n\ndef b():\n    return 2\n`;
      const parts = long.slice(0, long.indexOf('def b'));
      expect(
        droppedText('m.py', long, 'from parts import a\ndef b():\n    return 2\n', {
          textOf: () => parts,
        }),
      ).toBe(null);
    });
  });

  it('names five definitions, counts the others, and says the lines beside', () => {
    const before = [...'abcdefgh'].map((name) => `def ${name}():\n    pass\n`).join('');
    expect(droppedText('m.py', before, 'def h(): ...\n')).toBe(
      'a, b, c, d, e, 2 more names and 15 of 16 lines',
    );
  });
});
