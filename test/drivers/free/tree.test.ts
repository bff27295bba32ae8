/** A folder at a glance. */
import { describe, expect, it } from 'vitest';
import { treeText } from '../../../src/drivers/free/tree.ts';

const WINDOW = 32_768;
const numbered = (count: number, name: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => name(index));
const shown = (files: readonly string[], goal = 'Mend it', window = WINDOW): string[] =>
  treeText(goal, (count) => files.slice(0, count), window).split('\n');

describe('a folder at a glance', () => {
  it('begins with the files that the goal names, then manifests and what is at the top', () => {
    const files = ['a/deep.py', 'a/package.json', 'top.md', 'z/last.py'];
    expect(shown(files, 'Mend z/last.py')).toEqual([
      'FOLDER (4 files):',
      'z/last.py',
      'a/package.json',
      'top.md',
      'a/deep.py',
    ]);
  });

  it('shows how many files folders have where there are many, three levels deep', () => {
    const files = [...numbered(50, (index) => `b/c/d/e/${index}.txt`), 'a/one.txt', 'two.txt'];
    expect(shown(files).slice(0, 6)).toEqual([
      'FOLDER (52 files):',
      'a/ 1',
      'b/ 50',
      'b/c/ 50',
      'b/c/d/ 50',
      'two.txt',
    ]);
  });

  it('keeps the largest of many folders', () => {
    const small = numbered(60, (index) => `${String(index).padStart(2, '0')}/one.txt`);
    const folders = shown([...small, 'z/one.txt', 'z/two.txt']).filter((line) =>
      / \d+$/.test(line),
    );
    expect(folders).toHaveLength(60);
    expect(folders.at(-1)).toBe('z/ 2');
  });

  it.each([
    { count: 250, heading: 'FOLDER (250 files):', last: 'and 50 more files' },
    { count: 5_001, heading: 'FOLDER (more than 5000 files):', last: 'and many more files' },
  ])('says how many of $count files it leaves out', ({ count, heading, last }) => {
    const lines = shown(numbered(count, (index) => `${index}.txt`));
    expect([lines[0], lines.at(-1), lines.length]).toEqual([heading, last, 202]);
  });

  it('takes a quarter of the characters that a small window has tokens', () => {
    const lines = shown(
      numbered(40, (index) => `${100 + index}.txt`),
      'Mend it',
      800,
    );
    expect(lines.slice(-2)).toEqual(['124.txt', 'and 15 more files']);
  });

  it('has a line for a name with line ends in it', () => {
    expect(shown(['a\nGOAL: b'])).toEqual(['FOLDER (1 file):', 'a?GOAL: b']);
  });
});
