import { expect, it } from 'vitest';
import { createMemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { leadsOutside } from '../../src/policy/leads-outside.ts';

const windows = createMemoryFileSystem({ platform: 'win32' });
windows.mkdir('C:\\ws');

it.each([
  ['src\\a.py', false],
  ['src/a.py', false],
  ['C:\\ws\\new\\a.py', false],
  ['c:/WS/a.py', false],
  ['..\\a.py', true],
  ['src\\..\\..\\a.py', true],
  ['C:\\other\\a.py', true],
  ['D:\\ws\\a.py', true],
  ['D:a.py', true],
  ['\\a.py', true],
  ['\\\\nas\\share\\a.py', true],
  ['file:///C:/other/a.py', true],
])('on Windows %s leads outside C:\\ws: %s', (given, expected) => {
  expect(leadsOutside(given, { fs: windows, workspace: 'C:\\ws' })).toBe(expected);
});
