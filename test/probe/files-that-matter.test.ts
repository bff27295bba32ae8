import { describe, expect, it } from 'vitest';
import { filesThatMatter } from '../../src/probe/files-that-matter.ts';

const looksAt = (texts: { readonly [path: string]: string }) => ({
  files: Object.keys(texts),
  exists: (path: string) => texts[path] !== undefined,
  size: (path: string) => texts[path]?.length ?? null,
  readText: (path: string) => texts[path] ?? null,
});

describe('the files that matter', () => {
  it('are those that the goal names, manifests, tests, and then small ones', () => {
    const looks = looksAt({
      'a.py': '',
      'big.txt': 'x'.repeat(20_000),
      'data.csv': '',
      'package.json': '{}',
      'test_a.py': '',
    });
    expect(filesThatMatter('Sort data.csv', looks)).toEqual([
      'data.csv',
      'package.json',
      'test_a.py',
      'a.py',
    ]);
  });

  it.each([
    'sort the lanterns by price',
    'sortiere die Laternen (lanterns) nach ihrem Preis (price)',
    '按 price 对 lanterns 排序',
  ])('are first those with the most words of the goal: %s', (goal) => {
    const looks = looksAt({ 'a.py': 'nothing of it', 'b.py': 'lanterns and their price' });
    expect(filesThatMatter(goal, looks)).toEqual(['b.py', 'a.py']);
  });

  it.each(['say hi', 'sag hallo', '打个招呼'])('are shown whatever the goal says: %s', (goal) => {
    expect(filesThatMatter(goal, looksAt({ 'a.py': 'print(1)' }))).toEqual(['a.py']);
  });

  it('are looked at no more often than they are read in a large folder', () => {
    const files = Array.from({ length: 500 }, (_, n) => `src/file${n}.txt`);
    const looked: string[] = [];
    const found = filesThatMatter('sort the lanterns by price', {
      files,
      exists: () => false,
      size: (path) => {
        looked.push(path);
        return path === files[0] ? 1e6 : 40;
      },
      readText: (path) => (path === files[60] ? 'lanterns and their price' : ''),
    });
    expect(found.slice(0, 2)).toEqual([files[60], files[1]]);
    expect(found.length).toBe(12);
    // One is too large to be read.
    expect(looked).toEqual(files.slice(0, 61));
  });
});
