import { expect, test } from 'vitest';
import { createMemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { foldersHolding } from '../../src/workspace/folders-holding.ts';

const WANTED = [
  ...['ws/package.json', 'ws/b/package.json', 'ws/a/x/package.json'],
  ...['ws/a/x/node_modules/y/package.json', 'ws/a/b/c/d/package.json', 'ws/a/b/c/d/e/package.json'],
];

test('folders that hold a file are found from the top, without caches and what lies too deep', () => {
  const fs = createMemoryFileSystem({ platform: 'linux' });
  const made = new Set<string>();
  for (const path of [...WANTED, 'ws/c/package.json/x']) {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = `/${parts.slice(0, depth).join('/')}`;
      if (!made.has(folder)) fs.mkdir(folder);
      made.add(folder);
    }
    fs.close(fs.open(`/${path}`, 'w'));
  }
  const found = foldersHolding(
    fs,
    '/ws',
    (name) => name === 'node_modules',
    (name) => name === 'package.json',
  );
  expect(found).toEqual(['b', 'a/x', 'a/b/c/d']);
});
