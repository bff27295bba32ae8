import { expect, it } from 'vitest';
import { toldIn, unseenIn } from '../../src/probe/unseen.ts';

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

it.each<[string, string, boolean]>([
  ['How much do they owe?', 'Nora owes 17.', true],
  ['What does the code do?', 'It loads late fees.', true],
  ['Wie hoch ist die Summe?', 'Die Summe ist 1234.5.', true],
  ['What is the total?', 'I have found the total.', false],
  ['Kannst du den Text verbessern?', 'Der Text ist jetzt viel besser.', false],
  ['Is it right?', 'Yes.', false],
])('of what was seen, asked "%s", it tells something: "%s", %s', (goal, answer, isTold) => {
  expect(toldIn(answer, { goal, seen: SEEN }) > 0).toBe(isTold);
});
