import { expect, test } from 'vitest';
import {
  compileCacheFolder,
  enableNodesCache,
  partOf,
} from '../../../src/cli/process/load-program.ts';

const HOME = '/home/me';

test.each([
  ['linux', {}, HOME, '/home/me/.cache/tardigrade-agent/compiled'],
  ['linux', { XDG_CACHE_HOME: '/var/c' }, HOME, '/var/c/tardigrade-agent/compiled'],
  ['linux', { XDG_CACHE_HOME: 'c' }, HOME, '/home/me/.cache/tardigrade-agent/compiled'],
  ['darwin', {}, '/Users/me', '/Users/me/Library/Caches/tardigrade-agent/compiled'],
  ['win32', { LOCALAPPDATA: 'D:\\L' }, 'C:\\U', 'D:\\L\\tardigrade-agent\\compiled'],
  ['win32', {}, 'C:\\U', 'C:\\U\\AppData\\Local\\tardigrade-agent\\compiled'],
  ['linux', {}, '', null],
] as const)("compiled code on %s with %o lies in the system's folder for caches", (...row) => {
  const [platform, env, home, folder] = row;
  expect(compileCacheFolder({ platform, env, home })).toBe(folder);
});

test('a Node without a cache is known, and one that fails at it does without', () => {
  expect(enableNodesCache({}, '/c')).toBe(false);
  const failing = () => {
    throw new Error('no');
  };
  expect(enableNodesCache({ enableCompileCache: failing }, '/c')).toBe(true);
});

test.each([
  [[], 'conversation'],
  [['chat', '--resume'], 'conversation'],
  [['--model', 'm', '--exec', 'Hi'], 'conversation'],
  [['--exec=Hi'], 'conversation'],
  [['acp', '--model', 'm'], 'conversation'],
  [['serve', '--port', '0'], 'server'],
  [['serve', '--work-file', 'file'], ''],
  [['Write a chat'], ''],
  [['run', 'chat'], ''],
  [['--execute'], ''],
] as const)('what %j compiles is kept as that of %j', (argv, part) => {
  expect(partOf(argv)).toBe(part);
});
