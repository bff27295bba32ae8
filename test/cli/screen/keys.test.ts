import { describe, expect, test } from 'vitest';
import { inForeground } from '../../../src/cli/screen/foreground.ts';
import { type Key, NOTHING_PRESSED, parseKeys } from '../../../src/cli/screen/keys.ts';

/** The keys of chunks that came one after the other. */
function keysOf(...chunks: readonly string[]): readonly Key[] {
  let state = NOTHING_PRESSED;
  return chunks.flatMap((chunk) => {
    const read = parseKeys(state, chunk);
    state = read.state;
    return read.keys;
  });
}

const text = (text: string): Key => ({ kind: 'text', text });

describe('what a terminal sends', () => {
  test.each<readonly [string, readonly string[], readonly Key[]]>([
    ['a line', ['use sqlite', '\r'], [text('use sqlite'), { kind: 'enter' }]],
    ['a line in one read', ['ok\r'], [text('ok'), { kind: 'enter' }]],
    [
      'lines that were typed before',
      ['a\nb\n'],
      [text('a'), { kind: 'enter' }, text('b'), { kind: 'enter' }],
    ],
    ['Ctrl+J', ['a', '\n', 'b'], [text('a'), { kind: 'newline' }, text('b')]],
    ['Enter twice', ['\r\r'], [{ kind: 'enter' }, { kind: 'enter' }]],
    ['Ctrl+C', ['\u0003'], [{ kind: 'interrupt' }]],
    ['Ctrl+Z', ['\u001a'], [{ kind: 'suspend' }]],
    ['Ctrl+D', ['\u0004'], [{ kind: 'end_of_input' }]],
    [
      'keys that edit',
      ['\u007f\u0008\u0015\u0017'],
      [
        { kind: 'backspace' },
        { kind: 'backspace' },
        { kind: 'clear_line' },
        { kind: 'delete_word' },
      ],
    ],
    [
      'arrows and function keys',
      ['\u001b[A\u001bOP\u001b[1;5C\u001b[3~x'],
      [{ kind: 'up' }, { kind: 'word_right' }, { kind: 'delete' }, text('x')],
    ],
    ['an arrow in two reads', ['\u001b', '[A', 'x'], [{ kind: 'up' }, text('x')]],
    ['Alt and Enter together', ['a\u001b\rb'], [text('a'), { kind: 'newline' }, text('b')]],
    ['Tab', ['/he\t'], [text('/he'), { kind: 'complete' }]],
    [
      'Escape, and then a key',
      ['\u001b', 'x', '\u001b', '\u0003'],
      [text('x'), { kind: 'interrupt' }],
    ],
    ['Escape, and then Enter', ['a', '\u001b', '\r'], [text('a'), { kind: 'enter' }]],
    ['other controls', ['\u0000\u0007\u001bcx'], [text('x')]],
    ['what is more than one unit', ['é😀'], [text('é😀')]],
    ['a paste', ['\u001b[200~one\r\ntwo\rthree\u0003\u001b[201~'], [text('one\ntwo\nthree\u0003')]],
    [
      'a paste in pieces',
      ['\u001b[20', '0~one\r', 'two\u001b[2', '01~', '\r'],
      [text('one\n'), text('two'), { kind: 'enter' }],
    ],
    [
      'a paste that nobody marks',
      ['one\rtwo\r'],
      [text('one'), text('\n'), text('two'), { kind: 'enter' }],
    ],
  ])('is read as %s', (_, chunks, keys) => {
    expect(keysOf(...chunks)).toEqual(keys);
  });

  test('is not kept for ever where a sequence has no end', () => {
    expect(keysOf(`\u001b[${'1'.repeat(200)}`, 'x').length).toBeGreaterThan(0);
  });
});

describe('the terminal', () => {
  const look = (platform: NodeJS.Platform, stat: string | null, ps: string | null) =>
    inForeground({ platform, ownPid: 7, readText: () => stat, capture: () => ps });

  test.each([
    ['of the foreground', 'linux', '7 (no) de (x) S 1 700 600 34816 700 0', null, true],
    ['of another group', 'linux', '7 (node) S 1 700 600 34816 650 0', null, false],
    ['without one', 'linux', '7 (node) S 1 700 600 0 -1 0', null, false],
    ['as ps tells it', 'darwin', null, 'S+\n', true],
    ['as ps tells it of the background', 'darwin', null, 'S\n', false],
    ['nobody tells of', 'freebsd', null, null, true],
    ['of Windows', 'win32', null, null, true],
  ] as const)('%s is ours or not', (_, platform, stat, ps, isOurs) => {
    expect(look(platform, stat, ps)).toBe(isOurs);
  });
});
