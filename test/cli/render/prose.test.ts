import fc from 'fast-check';
import { expect, test } from 'vitest';
import { proseRows, proseStream } from '../../../src/cli/render/prose.ts';

function proseText(text: string, width: number): string {
  const stream = proseStream(() => width);
  return stream.put(text) + stream.end();
}

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

test('what stands between back quotes is not divided', () => {
  expect(proseRows('Type `npm run build -- --watch` and wait.', 30, false)).toEqual([
    'Type',
    '`npm run build -- --watch` and',
    'wait.',
  ]);
});

test('a text in pieces is the same as the whole, and nothing of it is lost', () => {
  const words = fc.constantFrom(
    'a',
    'word',
    '`in code`',
    '- item',
    'x'.repeat(40),
    '\n',
    '    y',
    '`',
  );
  fc.assert(
    fc.property(fc.array(words), fc.array(fc.integer({ min: 1, max: 9 })), (parts, cuts) => {
      const text = parts.join(' ');
      const stream = proseStream(() => 24);
      let out = '';
      let at = 0;
      for (const cut of cuts) {
        out += stream.put(text.slice(at, at + cut));
        at += cut;
      }
      out += stream.put(text.slice(at)) + stream.end();
      expect(out).toBe(proseText(text, 24));
      expect(out.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    }),
    { numRuns: 300 },
  );
});
