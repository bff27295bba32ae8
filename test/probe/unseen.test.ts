import { expect, it } from 'vitest';
import { unseenIn } from '../../src/probe/unseen.ts';

const SEEN = ['total: 1234.5\nNora Quist owes 17', 'src/store.py defines load_all and "late fees"'];

it.each([
  'The total is 1,234.5.',
  'Nora Quist owes 17.',
  '1. `src/store.py`\n2. it defines load_all',
  'It is about "Late  Fees".',
  'I do not know.',
])('says only what was seen: %s', (answer) => {
  expect(unseenIn(answer, SEEN)).toEqual([]);
});

it.each<[string, readonly string[]]>([
  ['The total is 1234.6.', ['1234.6']],
  ['She owes 7 in fees', ['7']],
  ['`save_all` is in src/other.py', ['save_all', 'src/other.py']],
  ['It is called "early fees"', ['early fees']],
])('says what nothing said: %s', (answer, words) => {
  expect(unseenIn(answer, SEEN)).toEqual(words);
});
