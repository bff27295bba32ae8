/** A folder in memory, as the systems write paths. */
import { expect, test } from 'vitest';
import { folderInMemory } from '../../../src/host/library/memory-workspace.ts';

test.each(['linux', 'win32'] as const)('holds the files that it is given, on %s', (platform) => {
  const folder = folderInMemory({ 'a.txt': 'one', 'deep/er/b.txt': 'two' }, platform);
  expect(folder.read('a.txt')).toBe('one');
  expect(folder.read('deep/er/b.txt')).toBe('two');
  expect(folder.fs.readdir(folder.workspace).toSorted()).toEqual(['a.txt', 'deep']);
});
