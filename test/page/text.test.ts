/** Texts of models, tools and files as data: nothing of them is ever read as HTML or followed where it may not lead. */

import { describe, expect, it } from 'vitest';
import { editedInput, textsOf } from '../../src/page/fold/input.ts';
import { blocksOf, httpAddress } from '../../src/page/fold/markdown.ts';
import { shownPatchLines } from '../../src/page/fold/patch.ts';
import { sayReach } from '../../src/page/fold/sandbox.ts';
import { readable } from '../../src/page/fold/visible.ts';
import {
  ago,
  duration,
  endingOf,
  isBelow,
  runLabelOf,
  sayEntry,
  tokenText,
  withFullStop,
} from '../../src/page/fold/words.ts';
import { linkKeyIn, routeOf } from '../../src/page/route.ts';
import { fc } from '../support/dice.ts';
import { PATCH } from '../support/page/showcase.ts';

describe('markdown', () => {
  it('has the blocks that models write', () => {
    const text =
      '# Title\n\nOne `code` and **bold**.\n\n- a\n- b\n\n1. x\n\n> said\n\n```js\nlet a;\n```\n---';
    expect(blocksOf(text).map(({ kind }) => kind)).toEqual([
      ...['heading', 'paragraph', 'list', 'list', 'quote', 'code', 'rule'],
    ]);
    expect(blocksOf('One `code` and **bold**.')).toMatchObject([
      { inline: [{ kind: 'text' }, { kind: 'code', text: 'code' }, {}, { kind: 'strong' }, {}] },
    ]);
  });

  it('has tables, whose cells keep a bar behind a backslash', () => {
    const [said, table, end] = blocksOf('So:\n| a | b |\n|:--|---|\n| 1 | x\\|y |\n\nend');
    expect([said?.kind, end?.kind]).toEqual(['paragraph', 'paragraph']);
    const texts =
      table?.kind === 'table' ? table.rows.map((row) => row.map(([one]) => one?.text)) : [];
    expect(texts).toEqual([
      ['a', 'b'],
      ['1', 'x|y'],
    ]);
    expect(blocksOf('a | b')[0]?.kind).toBe('paragraph');
  });

  it('leads to the web and nowhere else', () => {
    for (const target of [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc',
      '/api/me',
      'x',
    ]) {
      expect(httpAddress(target), target).toBeNull();
      expect(JSON.stringify(blocksOf(`[go](${target})`))).not.toContain('"link"');
    }
    expect(httpAddress('https://example.com/a')).toBe('https://example.com/a');
  });

  it('keeps every word, whatever comes, and ends', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        const said = JSON.stringify(blocksOf(text));
        for (const word of text.match(/[a-z]{4,}/g) ?? []) expect(said).toContain(word);
      }),
    );
  });

  it.each([
    ['brackets', '['.repeat(300_000)],
    ['labels', '[a'.repeat(200_000)],
    ['spaces below a row', `a|b\n${' '.repeat(300_000)}x`],
    ['empty code blocks', '```\n'.repeat(100_000)],
  ])('takes no longer for much of one thing than for much text: %s', (_, text) => {
    expect(blocksOf(text).length).toBeGreaterThan(0);
  });

  it('takes a text that is cut off in a code block', () => {
    expect(blocksOf('```\nlet a')).toEqual([{ kind: 'code', language: '', text: 'let a' }]);
  });
});

it('a patch has its lines with both numbers', () => {
  const lines = shownPatchLines(PATCH);
  expect(lines.map(({ kind }) => kind[0]).join('')).toBe('hssrrrras');
  expect(lines.find(({ kind }) => kind === 'added')).toMatchObject({ after: 40, before: 0 });
  expect(shownPatchLines('no patch at all')).toEqual([]);
});

it('a patch hides and reorders nothing: what cannot be seen is written out', () => {
  const patch = (...lines: string[]) => ['@@ -1,1 +1,1 @@', ...lines].join('\n');
  const textsIn = (text: string) =>
    shownPatchLines(text)
      .slice(1)
      .map((line) => line.text);
  expect(textsIn(patch('-ab', '+a\u200bb'))).toEqual(['ab', 'a\\u{200b}b']);
  expect(textsIn(patch('-a', '+\u202e) evil(\u202c'))).toEqual(['a', '\\u{202e}) evil(\\u{202c}']);
  expect(textsIn(patch('-\tשלום', '+\t👨\u200d👩'))).toEqual(['\tשלום', '\t👨\u200d👩']);
  expect(textsIn(patch('-a\r', '+b\r'))).toEqual(['a', 'b']);
  expect(textsIn(patch('-a\r', '+a'))).toEqual(['a\\r', 'a']);
});

it('a patch of several files names each, and takes no line of one for a name', () => {
  const first = '--- a.md\n+++ a.md\n@@ -1,2 +1,1 @@\n same\n--- b\n';
  const lines = shownPatchLines(
    `${first}--- old.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n… and 3 more lines`,
  );
  expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'file a.md',
    'hunk @@ -1,2 +1,1 @@',
    'same same',
    'removed -- b',
    'file old.md',
    'hunk @@ -1 +0,0 @@',
    'removed gone',
    'hunk … and 3 more lines',
  ]);
});

it('what a call would get is changed as texts, and is what it was where nobody changed it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
      expect(editedInput(input, textsOf(input))).toEqual({
        input: JSON.parse(JSON.stringify(input)),
      });
    }),
  );
  const named = JSON.parse('{"__proto__": null}');
  expect(Object.keys(Object(editedInput(named, textsOf(named))).input)).toEqual(['__proto__']);
  const before = { cmd: 'npm i', timeout_sec: 60 };
  expect(editedInput(before, { cmd: 'npm ci', timeout_sec: '5' })).toEqual({
    input: { cmd: 'npm ci', timeout_sec: 5 },
  });
  expect(editedInput(before, { cmd: '', timeout_sec: 'soon' })).toEqual({
    fault: 'timeout_sec is not JSON.',
  });
});

it('numbers are said shortly', () => {
  expect([duration(340), duration(9200), duration(101_000), duration(3_720_000)]).toEqual([
    ...['340 ms', '9.2 s', '1 min 41 s', '1 h 02 min'],
  ]);
  expect([tokenText(999), tokenText(48_530), tokenText(2_340_000)]).toEqual([
    '999',
    '48.5k',
    '2.34M',
  ]);
  expect([ago(1, 30_000), ago(1, 7_200_001)]).toEqual(['now', '2\u00a0h\u00a0ago']);
});

it('words get a full stop and keep their first letter, because a command may begin with it', () => {
  expect(withFullStop('rm -rf a: rm is not allowed here.')).toBe(
    'rm -rf a: rm is not allowed here.',
  );
  expect(withFullStop('the model gave up')).toBe('the model gave up.');
  expect(withFullStop('')).toBe('');
});

it('a run whose proof says nothing about a file is proved in part, in a list as well', () => {
  const words = (...files: string[]) => endingOf('achieved', { files, subtasks: [] }).word;
  expect([words(), words('CHANGELOG.md')]).toEqual(['Proved', 'Proved in part']);
  expect(runLabelOf({ standing: 'achieved', isPartly: true }).word).toBe('Proved in part');
  expect(runLabelOf({ standing: 'achieved' }).word).toBe('Proof passed');
  expect(runLabelOf({ standing: 'failed', isPartly: true }).word).toBe('Failed');
});

it('a folder is below a root by whole names, on every system', () => {
  expect(isBelow('/home/ada/shop', ['/srv', '/home/ada'])).toBe(true);
  expect(isBelow('/home/ada', ['/home/ada']) && isBelow('/srv', ['/'])).toBe(true);
  expect(isBelow('/home/adam', ['/home/ada'])).toBe(false);
  expect(isBelow('C:\\ada\\shop', ['C:\\ada']) && isBelow('C:\\ada', ['C:\\'])).toBe(true);
});

it('an address is a view, and what is none is the inbox', () => {
  expect(routeOf('#/run/0f1e')).toEqual({ view: 'run', id: '0f1e' });
  expect(routeOf('#/permissions')).toEqual({ view: 'permissions' });
  for (const hash of ['', '#/', '#/run/', '#/run/<b>', '#k=abc']) {
    expect(routeOf(hash)).toEqual({ view: 'inbox' });
  }
  expect([linkKeyIn('#k=abc'), linkKeyIn('#/run/1')]).toEqual(['abc', null]);
});

it('says what commands reach, and promises no sandbox that nobody asked for or that does not hold', () => {
  const none = {
    holds: false,
    what: 'bubblewrap is not installed',
    next: '',
    usual: 'off',
  } as const;
  const holds = { ...none, holds: true, what: 'bubblewrap' };
  expect(sayReach('', undefined)).toBe('');
  for (const [choice, here] of [
    ['', none],
    ['auto', none],
    ['', holds],
    ['off', { ...holds, usual: 'require' }],
  ] as const)
    expect(sayReach(choice, here)).toMatch(/^Commands run with your own rights/);
  expect(sayReach('', { ...holds, usual: 'auto' })).toContain('in a sandbox (bubblewrap)');
  expect(sayReach('require', none)).toMatch(/^It cannot begin: .*bubblewrap is not installed/);
});

it('shows what would reorder or hide words of a model or a program, and keeps what letters need', () => {
  expect(readable('gpj\u202eexe \u2066a\u2069 b\u200bc')).toBe(
    'gpj\\u{202e}exe \\u{2066}a\\u{2069} b\\u{200b}c',
  );
  const family = '\u{1f468}\u200d\u{1f469}';
  const kept = `${family} \u05d0\u200f! co\u00adop\n\ttwo\r\n`;
  expect(readable(kept)).toBe(kept);
  const said = { kind: 'said', at: 0, seq: 1, text: 'a\u202eb' };
  expect(sayEntry(said as never)).toBe('You: a\\u{202e}b');
});
