/** What a model writes as Markdown, as a person sees it. */

import { expect, test } from 'vitest';
import {
  endOfPage,
  markdownRows,
  NO_PAGE,
  pageAfter,
} from '../../../src/cli/render/markdown/page.ts';
import { cellsOf } from '../../../src/cli/render/text/cells.ts';
import { createStyle, type Tone } from '../../../src/cli/render/text/style.ts';
import { fc } from '../../support/dice.ts';

const bare = createStyle(
  { env: { LANG: 'C.UTF-8', NO_COLOR: '1' }, platform: 'linux' },
  { isTerminal: true },
);
const named = {
  ...bare,
  hasColor: true,
  paint: (tone: Tone, text: string) => (tone === 'plain' ? text : `<${tone}:${text}>`),
};
const shown = (text: string, width = 40): string =>
  markdownRows(text, { width, style: named }).join('\n');

test.each([
  ['a heading', '## The *second* part', '<strong:The> <strong:second> <strong:part>'],
  ['bold and code', 'Use **`a`** and `b c`.', 'Use <code:a> and <code:b c>.'],
  [
    'emphasis',
    'so *it* is, snake_case_name and 2 * 3 * 4',
    'so <emphasis:it> is, snake_case_name and 2 * 3 * 4',
  ],
  ['a link', '[the docs](https://e.com/x)', '<link:the> <link:docs> <dim:(https://e.com/x)>'],
  ['an address', 'see https://e.com/x', 'see <link:https://e.com/x>'],
  ['HTML', '<b>bold</b> & <x>', '<b>bold</b> & <x>'],
  [
    'a quotation',
    '> as it was said',
    '<dim:│> <emphasis:as> <emphasis:it> <emphasis:was> <emphasis:said>',
  ],
  ['a rule', '---', `<dim:${'─'.repeat(40)}>`],
])('%s', (_, text, seen) => {
  expect(shown(text)).toBe(seen);
});

test.each([
  'exported by __init__.py and in __all__',
  'src/*.py and tests/*.py',
  'src/**/*.ts and test/**/*.ts',
  '*.js only, docs/*.md and src/*.md',
  'either * or dist/*',
  'all of *, dist/*, lib/*',
  '2*3*4 is x**2 + y**2',
])('the marks of a name, a glob or a product stay: %s', (text) => {
  expect(shown(text, 60)).toBe(text);
});

test('what stands in marks that stay is laid out', () => {
  expect(shown('src/*.py, **all** of `tests/*.py`', 60)).toBe(
    'src/*.py, <strong:all> of <code:tests/*.py>',
  );
  expect(shown('src/*.py of `a` and lib/*.py', 60)).toBe('src/*.py of <code:a> and lib/*.py');
  expect(shown('这是**重要**的', 60)).toBe('这是<strong:重要>的');
});

test('a list hangs below its words', () => {
  expect(shown('- **todo.py**, a small list of things to do', 30)).toBe(
    '- <strong:todo.py>, a small list of\n  things to do',
  );
});

test('code has colours, its fences go, and a comment of several lines stays one', () => {
  expect(shown('```ts\n/* one\ntwo */ const a = 1;\n```\nDone.')).toBe(
    '<dim:ts>\n<dim:/* one>\n<dim:two */> <keyword:const> a = <warning:1>;\nDone.',
  );
});

test('of an unknown language code stays as it is, markup of prose in it too', () => {
  expect(shown('```\n**a** | b\n```')).toBe('**a** | b');
});

test('where nothing can be coloured the marks stay', () => {
  const text = '## Part\n**bold** and `code`\n```js\nconst a = 1;\n```';
  expect(markdownRows(text, { width: 40, style: bare }).join('\n')).toBe(text);
});

const TABLE = [
  '| file | lines | what it does |',
  '|---|---:|---|',
  '| `src/main.ts` | 120 | the entry point of the whole program, which reads its arguments and calls everything else |',
  '| `b.ts` | 7 | little |',
].join('\n');

test('a table has columns that fit the width', () => {
  const rows = markdownRows(`${TABLE}\nDone.`, { width: 60, style: bare });
  expect(rows.join('\n')).toMatchInlineSnapshot(`
    "file        │ lines │ what it does
    ────────────┼───────┼───────────────────────────────────────
    src/main.ts │   120 │ the entry point of the whole program,
                │       │ which reads its arguments and calls
                │       │ everything else
    b.ts        │     7 │ little
    Done."
  `);
  for (const row of rows) expect(cellsOf(row)).toBeLessThanOrEqual(60);
});

test('where columns would be too narrow a row is a list', () => {
  expect(markdownRows(TABLE, { width: 24, style: bare }).join('\n')).toMatchInlineSnapshot(`
    "file: src/main.ts
      lines: 120
      what it does: the
        entry point of the
        whole program,
        which reads its
        arguments and
        calls everything
        else
    file: b.ts
      lines: 7
      what it does: little"
  `);
});

test('what only begins like a table stays as it is', () => {
  expect(shown('| a | b\nand so on')).toBe('| a | b\nand so on');
});

test('a text in pieces is the same as the whole', () => {
  const part = fc.constantFrom(
    'word',
    '**bold**',
    '`code`',
    '| a | b |',
    '|---|---|',
    '```ts',
    '```',
    '# head',
    '\n',
    '- item',
    '你好',
    '> said',
    'x'.repeat(50),
  );
  fc.assert(
    fc.property(fc.array(part), fc.integer({ min: 1, max: 7 }), (parts, size) => {
      const text = parts.join(' ').replaceAll(' \n ', '\n');
      const look = { width: 24, style: named };
      let page = NO_PAGE;
      const rows: string[] = [];
      for (let at = 0; at < text.length; at += size) {
        const next = pageAfter(page, text.slice(at, at + size), look);
        page = next.page;
        rows.push(...next.rows);
      }
      rows.push(...endOfPage(page, look));
      expect(rows).toEqual(markdownRows(text, look));
    }),
    { numRuns: 200 },
  );
});
