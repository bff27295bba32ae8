import { expect, test } from 'vitest';
import { proseRows, proseText } from '../../../src/cli/render/prose.ts';

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
  expect(proseRows(line, 30, false)).toEqual(rows);
});

test.each([
  ['code', '    const answer = everything + all + of + it;', false],
  ['code between fences', 'const answer = everything + all + of + it;', true],
  ['a table', '| one column | another column | a third |', false],
])('%s stays as it is', (_, line, isCode) => {
  expect(proseRows(line, 30, isCode)).toEqual([line]);
});

test('of a whole text what stands between fences stays as it is', () => {
  const code = 'const answer = everything + all + of + it;';
  const text = `So it goes on, for a while at least:\n\`\`\`\n${code}\n\`\`\`\n`;
  expect(proseText(text, 30)).toBe(
    `So it goes on, for a while at\nleast:\n\`\`\`\n${code}\n\`\`\`\n`,
  );
});
