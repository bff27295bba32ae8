import { expect, it } from 'vitest';
import { rowLines } from '../../../../src/cli/render/text/rows.ts';

it('a name and its words never touch, however long the name is', () => {
  expect(rowLines({ name: 'new', words: 'a.txt' }, 80)).toEqual(['  new      a.txt']);
  expect(rowLines({ name: 'apples.txt', words: 'list.md:3' }, 80)).toEqual([
    '  apples.txt  list.md:3',
  ]);
  const long = 'a'.repeat(40);
  expect(rowLines({ name: long, words: 'list.md:3' }, 80)).toEqual([`  ${long}`, '    list.md:3']);
});
