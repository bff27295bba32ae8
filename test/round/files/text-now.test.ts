import { expect, it } from 'vitest';
import { replaceFile } from '../../../src/lib/files/durable-files.ts';
import { createMemoryFileSystem } from '../../../src/lib/files/memory-file-system.ts';
import { withTextNow } from '../../../src/round/files/text-now.ts';

function shownAs(text: string, mayShow = true) {
  const fs = createMemoryFileSystem();
  fs.mkdir('/ws');
  replaceFile(fs, '/ws/a.txt', Buffer.from(text));
  return withTextNow({ status: 'error', content: 'It does not fit.' }, 'a.txt', {
    context: { state: { settings: { driver: 'chat', calling: 'wire' }, active: null } } as never,
    world: { readText: () => text } as never,
    toolContext: { fs, workspace: '/ws', maxResultChars: 1000, mayShow: () => mayShow } as never,
  });
}

const shown = (mayShow: boolean) => shownAs('KEY=1', mayShow).content;

it('a file that does not take an edit is shown as it is, unless somebody holds it back', () => {
  expect(shown(true)).toBe('It does not fit.\na.txt holds now:\nKEY=1');
  expect(shown(false)).toBe('It does not fit.');
});

it('counts as read only where all of it is shown', () => {
  expect(shownAs('KEY=1').facts).toEqual({ shows: ['a.txt'] });
  expect(shownAs('KEY=1\n'.repeat(400))).not.toHaveProperty('facts');
});
