import { expect, test } from 'vitest';
import { createStyle } from '../../../src/cli/render/text/style.ts';
import { activityOf } from '../../../src/cli/screen/activity.ts';
import {
  EMPTY,
  edited,
  goesOn,
  type InputDraft,
  MAX_TYPED,
} from '../../../src/cli/screen/editor.ts';
import { frameOf, type ScreenView } from '../../../src/cli/screen/frame.ts';
import { InputLine } from '../../../src/cli/screen/input-line.ts';
import { NOTHING_PRESSED, parseKeys } from '../../../src/cli/screen/keys.ts';

const after = (
  keys: string,
  draft: InputDraft = EMPTY,
  history: readonly string[] = [],
): InputDraft =>
  parseKeys(NOTHING_PRESSED, keys).keys.reduce((now, key) => edited(now, key, history), draft);

const [UP, DOWN, LEFT, RIGHT] = ['\u001b[A', '\u001b[B', '\u001b[D', '\u001b[C'];
const at = ({ text, cursor }: InputDraft): string =>
  `${text.slice(0, cursor)}|${text.slice(cursor)}`;

test('the cursor moves over what a person sees as one character, and text goes in where it is', () => {
  expect(at(after(`a👍🏽b${LEFT}${LEFT}x`))).toBe('ax|👍🏽b');
  expect(at(after(`a👍🏽${LEFT}${RIGHT}\u007f`))).toBe('a|');
  expect(at(after(`ab${LEFT}\u001b[3~`))).toBe('a|');
  expect(at(after('one two\u0017'))).toBe('one |');
  expect(at(after('ab\u0001x\u0005y'))).toBe('xaby|');
  expect(at(after(`${LEFT}\u007f\u001b[3~a`))).toBe('a|');
});

test('the arrows go through the lines and then through what was said, and back to what was typed', () => {
  const history = ['first', 'two\nlines'];
  const typed = after('new\u001b\rline');
  expect(at(after(UP, typed, history))).toBe('new|\nline');
  const back = after(UP + UP, typed, history);
  expect(at(back)).toBe('two\nlines|');
  const further = after(UP + UP + UP, back, history);
  expect(at(further)).toBe('first|');
  expect(at(after(DOWN + DOWN + DOWN, further, history))).toBe('new\nline|');
});

test('Ctrl+U clears the line up to the cursor and no other', () => {
  expect(at(after('one\u001b\rtwo\u0015'))).toBe('one\n|');
});

test('a line that ends in a backslash goes on, one that ends in two does not', () => {
  expect(goesOn(after('a\\'))).toBe(true);
  expect(goesOn(after('a\\\\'))).toBe(false);
  expect(goesOn(after(`a\\${LEFT}`))).toBe(false);
});

test('what is typed holds nothing that steers a terminal, and a paste begins with its words', () => {
  expect(at(after('\u001b[200~\n\na\u001b[2Jb\u0007\n\u001b[201~'))).toBe('ab\n|');
  expect(at(after('a👨‍👩‍👧\u007f'))).toBe('a|');
});

test('the line for a run keeps a backslash, and is edited and had again as one of a conversation', () => {
  const line = new InputLine({ most: 8, isOneRow: true });
  const type = (keys: string): void => {
    for (const key of parseKeys(NOTHING_PRESSED, keys).keys) line.press(key);
  };
  type(`ab\\${LEFT}${LEFT}x`);
  expect(at(line.draft)).toBe('ax|b\\');
  expect(line.enter()).toBe('axb\\');
  type(UP);
  expect(at(line.draft)).toBe('axb\\|');
  type('123456789');
  expect(line.draft.text).toBe('axb\\1234');
  type('\u0015a\u001b\rb\u0015');
  expect(line.isEmpty).toBe(true);
});

test('what is typed has a bound', () => {
  const long = after('x'.repeat(MAX_TYPED + 10));
  expect(long.text).toHaveLength(MAX_TYPED);
  expect(after(`${'x'.repeat(MAX_TYPED - 3)} y \u0017`).text).toHaveLength(MAX_TYPED - 2);
});

test.each([
  [80, 24],
  [20, 8],
])('a frame of %i columns and %i rows never leaves its window', (columns, rows) => {
  const style = createStyle({ env: { LANG: 'C.UTF-8' }, platform: 'linux' }, { isTerminal: false });
  const draft = after(`${'word '.repeat(60)}\u001b\r${'line\u001b\r'.repeat(40)}`);
  const view: ScreenView = {
    kind: 'chat',
    activity: activityOf('waiting', 'waiting for the model', 0),
    answer: { line: 'An answer that is long. '.repeat(40), code: null, table: [] },
    wayOut: 'Ctrl+C stops it',
  };
  const lines = ['one\ntwo', 'another '.repeat(20)];
  const menu = {
    ...{ from: 0, selected: 2, kind: 'files' as const },
    choices: ['alpha.txt', 'beta.txt', 'gamma.txt', 'delta.txt'].map((text) => ({
      text,
      about: 'a file '.repeat(9),
    })),
  };
  const frame = frameOf(view, { draft, menu, lines }, { columns, rows }, 0, style);
  expect(frame.length).toBeLessThan(rows);
  for (const row of frame) expect(row.length).toBeLessThan(columns);
  expect(frame.some((row) => row.includes('▌'))).toBe(true);
});
