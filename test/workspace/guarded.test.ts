import { expect, it } from 'vitest';
import { createMemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { guardedPlaces } from '../../src/workspace/guarded.ts';

const KINDS = {
  isGuarded: (path: string) => path.endsWith('AGENTS.md'),
  isHidden: (path: string) => path.endsWith('.env'),
  isLeftOut: () => false,
};

function folderOf(...files: readonly string[]) {
  const fs = createMemoryFileSystem();
  fs.mkdir('/ws');
  const folders = new Set<string>();
  for (const file of files) {
    const parts = `/ws/${file}`.split('/');
    for (let depth = 3; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      if (!folders.has(folder)) fs.mkdir(folder);
      folders.add(folder);
    }
    fs.close(fs.open(`/ws/${file}`, 'w'));
  }
  return fs;
}

it('what is to be held is found however deep it lies, and of too much what lies highest', () => {
  const deep = 'a/b/c/d/e/f/g/h/i/j/.env';
  const fs = folderOf(deep, 'a/x1', 'a/x2', 'a/x3', 'z/.env', 'z/AGENTS.md');
  const seen = (most?: number) => {
    const { guarded, hidden } = guardedPlaces(fs, '/ws', KINDS, most);
    return [...guarded, ...hidden].map(({ path }) => path);
  };
  expect(seen()).toEqual(['z/AGENTS.md', 'z/.env', deep]);
  expect(seen(8)).toEqual(['z/AGENTS.md', 'z/.env']);
});
