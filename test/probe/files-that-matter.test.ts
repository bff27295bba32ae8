import { expect, test } from 'vitest';
import { filesThatMatter } from '../../src/probe/files-that-matter.ts';

test('of a large folder no more files are looked at than are read', () => {
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
  expect(found).toEqual([files[60]]);
  // One is too large to be read.
  expect(looked).toEqual(files.slice(0, 61));
});
