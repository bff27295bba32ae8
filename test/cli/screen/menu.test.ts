/** What is offered while somebody types, and what the keys of readline do. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createStyle } from '../../../src/cli/render/text/style.ts';
import { InputLine } from '../../../src/cli/screen/input-line.ts';
import { NOTHING_PRESSED, parseKeys } from '../../../src/cli/screen/keys.ts';
import { menuLines } from '../../../src/cli/screen/menu-lines.ts';

const commands = [
  { text: '/goal', about: 'work on a goal', takes: 'GOAL' },
  { text: '/commit', about: 'commit', takes: 'MESSAGE' },
  { text: '/compact', about: 'sum up' },
  { text: '/model', about: 'the model', takes: '[NAME]' },
];

function typing() {
  const folder = mkdtempSync(join(tmpdir(), 'menu-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'a.ts'), '');
  writeFileSync(join(folder, 'hello.txt'), '');
  const input = new InputLine({
    offers: {
      commands: () => commands,
      values: (command) =>
        command === 'model'
          ? [
              { text: 'openai/gpt', about: '' },
              { text: 'ollama/qwen', about: '' },
            ]
          : null,
      workspace: folder,
      files: () => [
        'hello.txt',
        'lib/chello.ts',
        'hello/x.ts',
        'src/a.ts',
        'Docs/Hello.md',
        'h ello.txt',
      ],
    },
  });
  const keys = (text: string): void => {
    for (const key of parseKeys({ ...NOTHING_PRESSED, isLater: true }, text).keys) input.press(key);
  };
  return { input, keys, offered: () => input.menu?.choices.map(({ text }) => text) ?? [] };
}

describe('a menu', () => {
  test('is there from the slash on, and gets shorter with each letter', () => {
    const { keys, offered } = typing();
    keys('/');
    expect(offered()).toEqual(['/goal', '/commit', '/compact', '/model']);
    keys('co');
    expect(offered()).toEqual(['/commit', '/compact']);
    keys('mp');
    expect(offered()).toEqual(['/compact']);
    keys('x');
    expect(offered()).toEqual([]);
  });

  test('Enter takes what is selected: sent where it takes nothing, else it waits for that', () => {
    const { input, keys } = typing();
    keys('/co\u001b[B');
    expect(input.enter()).toBe('/compact');
    keys('/co');
    expect(input.enter()).toBeNull();
    expect(input.draft.text).toBe('/commit ');
    keys('all of it');
    expect(input.enter()).toBe('/commit all of it');
  });

  test('a word that is no command is sent as it is typed, for the conversation to say so', () => {
    const { input, keys } = typing();
    keys('/nope');
    expect(input.enter()).toBe('/nope');
  });

  test('behind a command it offers what that takes, never files', () => {
    const { input, keys, offered } = typing();
    keys('/model ');
    expect(offered()).toEqual(['openai/gpt', 'ollama/qwen']);
    keys('qwen');
    expect(offered()).toEqual(['ollama/qwen']);
    keys('\t');
    expect(input.draft.text).toBe('/model ollama/qwen ');
    keys('\u0015/commit h\t');
    expect(input.draft.text).toBe('/commit hello.txt ');
  });

  test('behind @ it also offers files in other folders whose path holds what is typed', () => {
    const { input, keys, offered } = typing();
    keys('see @h');
    expect(offered()).toEqual(['@hello.txt']);
    keys('ello');
    expect(offered()).toEqual(['@hello.txt', '@Docs/Hello.md', '@lib/chello.ts', '@hello/x.ts']);
    keys('\t');
    expect(input.draft.text).toBe('see @hello.txt ');
    keys('and @a.t\t');
    expect(input.draft.text).toBe('see @hello.txt and @src/a.ts ');
    keys('or a.t');
    expect(offered()).toEqual([]);
  });

  test('behind @ it offers files, and Tab goes into folders', () => {
    const { input, keys, offered } = typing();
    keys('see @');
    expect(offered()).toEqual(['@hello.txt', '@src/']);
    keys('s\t');
    expect(input.draft.text).toBe('see @src/');
    expect(offered()).toEqual(['@src/a.ts']);
  });

  test('of one that is long a part is shown, around what is selected, and each row fits', () => {
    const style = createStyle(
      { env: { LANG: 'C.UTF-8' }, platform: 'linux' },
      { isTerminal: false },
    );
    const choices = Array.from({ length: 30 }, (_, index) => ({
      text: `/command${index}`,
      about: 'what it is about, in many words that fit nowhere',
    }));
    const rows = menuLines(
      { kind: 'commands', from: 0, choices, selected: 20 },
      { width: 39, rows: 24, style },
    );
    expect(rows).toHaveLength(10);
    expect(rows.find((row) => row.startsWith('▸'))).toMatch(/^▸ \/command20/);
    // What its row had to cut is shown whole below.
    expect(rows.slice(-3)).toEqual([
      '  21 of 30',
      '    what it is about, in many words',
      '    that fit nowhere',
    ]);
    const wide = { width: 79, rows: 24, style };
    expect(menuLines({ kind: 'commands', from: 0, choices, selected: 20 }, wide)).toHaveLength(8);
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(39);
  });
});

describe('the keys of readline', () => {
  test.each([
    ['Ctrl+K takes the rest of the line', 'one two\u0001\u001bf\u000b', 'one', 3],
    ['Ctrl+Y puts it back', 'one two\u0001\u001bf\u000b\u0001\u0019', ' twoone', 4],
    ['Alt+B and Alt+D', 'one two\u001bb\u001bd', 'one ', 4],
    ['Ctrl+W and Ctrl+Y', 'one two\u0017\u0019\u0019', 'one twotwo', 10],
    ['Ctrl+J begins a new line', 'a\u000ab', 'a\nb', 3],
    ['Ctrl+T', 'ab\u0014', 'ba', 2],
    ['Ctrl+B and Ctrl+F', 'abc\u0002\u0002\u0006X', 'abXc', 3],
  ])('%s', (_, keys, text, cursor) => {
    const { input, keys: type } = typing();
    type(keys);
    expect(input.draft).toMatchObject({ text, cursor });
  });

  test('Ctrl+R finds what was said, the last first, and Enter sends it', () => {
    const { input, keys } = typing();
    input.remember(['run the tests', 'write a note', 'run the build']);
    keys('half\u0012run');
    expect(input.search?.hit).toBe('run the build');
    keys('\u0012');
    expect(input.search?.hit).toBe('run the tests');
    expect(input.enter()).toBe('run the tests');
    keys('half\u0012nothing');
    expect(input.search?.hit).toBeNull();
    keys('\u001b[C');
    expect(input.draft.text).toBe('half');
  });
});
