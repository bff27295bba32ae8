import { expect, test } from 'vitest';
import { proseRows } from '../../../../src/cli/render/text/prose.ts';

test.each([
  [
    'a sentence',
    'The folder holds a small list of things.',
    ['The folder holds a small list', 'of things.'],
  ],
  [
    'a list',
    '- todo.py, a small list of things to do',
    ['- todo.py, a small list of', '  things to do'],
  ],
  [
    'what is indented',
    '  so it goes on, for a while at least',
    ['  so it goes on, for a while', '  at least'],
  ],
  ['a short line', 'Hello.', ['Hello.']],
])('%s is folded between words', (_, line, rows) => {
  expect(proseRows(line, 30)).toEqual(rows);
});

test.each([
  ['code', '    const answer = everything + all + of + it;'],
  ['a table', '| one column | another column | a third |'],
])('%s stays as it is', (_, line) => {
  expect(proseRows(line, 30)).toEqual([line]);
});

test('what stands between back quotes is not divided', () => {
  expect(proseRows('Type `npm run build -- --watch` and wait.', 30)).toEqual([
    'Type',
    '`npm run build -- --watch` and',
    'wait.',
  ]);
});
