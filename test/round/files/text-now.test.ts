import { expect, it } from 'vitest';
import { createMemoryFileSystem } from '../../../src/lib/files/memory-file-system.ts';
import { withTextNow } from '../../../src/round/files/text-now.ts';

const shown = (mayShow: boolean) =>
  withTextNow({ status: 'error', content: 'It does not fit.' }, 'a.txt', {
    context: { state: { settings: { driver: 'chat', calling: 'wire' }, active: null } } as never,
    world: { readText: () => 'KEY=1' } as never,
    toolContext: {
      fs: createMemoryFileSystem(),
      workspace: '/ws',
      maxResultChars: 1000,
      mayShow: () => mayShow,
    } as never,
  }).content;

it('a file that does not take an edit is shown as it is, unless somebody holds it back', () => {
  expect(shown(true)).toBe('It does not fit.\na.txt holds now:\nKEY=1');
  expect(shown(false)).toBe('It does not fit.');
});
