/** Paths are joined and taken apart as their own system writes them. */
import { expect, test } from 'vitest';
import { basename, dirname, join } from '../../../src/lib/files/absolute-paths.ts';

test.each([
  ['/w', '/w/a/b.txt'],
  ['C:\\w', 'C:\\w\\a\\b.txt'],
  ['D:/w', 'D:\\w\\a\\b.txt'],
  ['\\\\server\\share\\w', '\\\\server\\share\\w\\a\\b.txt'],
])('below %s', (folder, file) => {
  expect(join(folder, 'a', 'b.txt')).toBe(file);
  expect(join(folder, 'a/b.txt')).toBe(file);
  expect(dirname(file)).toBe(join(folder, 'a'));
  expect(basename(file)).toBe('b.txt');
  expect(basename(file, '.txt')).toBe('b');
});

test('a name with a backslash stays one on a system that allows it', () => {
  expect(basename('/w/a\\b')).toBe('a\\b');
  expect(join('/w', 'a\\b')).toBe('/w/a\\b');
});
