/** The disk in memory. */
import { expect, test } from 'vitest';
import { createMemoryFileSystem } from '../../../src/lib/files/memory-file-system.ts';

test('has every drive on win32', () => {
  const fs = createMemoryFileSystem({ platform: 'win32' });
  fs.mkdir('D:\\w');
  expect(fs.readdir('D:\\')).toEqual(['w']);
  expect(fs.stat('C:\\').kind).toBe('directory');
  expect(() => fs.mkdir('C:\\w\\deep')).toThrow('ENOENT');
});

test('has none elsewhere', () => {
  const fs = createMemoryFileSystem({ platform: 'linux' });
  expect(() => fs.stat('/C:')).toThrow('ENOENT');
});
