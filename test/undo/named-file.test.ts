import { expect, test } from 'vitest';
import { isMeantPath } from '../../src/undo/named-file.ts';

test.each([
  ['win32', 'SRC/A.js', ['src/a.js', 'b.js'], ['src/a.js']],
  ['darwin', 'src/A.js', ['src/a.js', 'src/A.js'], ['src/A.js']],
  ['linux', 'SRC/A.js', ['src/a.js'], []],
  ['win32', undefined, ['a', 'b'], ['a', 'b']],
] as const)('on %s %s means, of %j, %j', (platform, only, paths, meant) => {
  expect(paths.filter(isMeantPath(only, paths, platform))).toEqual(meant);
});
