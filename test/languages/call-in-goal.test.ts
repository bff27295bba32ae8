import { expect, it } from 'vitest';
import { asksInVain } from '../../src/languages/call-in-goal.ts';

it.each([
  [
    'Write coins.py that is called with an amount ("python coins.py 30") and prints the coins',
    'coins.py',
    'sys.argv[1:]',
  ],
  ['A tool shout.mjs: `node shout.mjs a b` prints A B', 'shout.mjs', 'process.argv.slice(2)'],
])('a program that asks its user is not what the goal calls: %s', (goal, path, place) => {
  expect(asksInVain(goal, path, ['Amount: '])).toContain(place);
});

it.each([
  ['"python coins.py 30" prints the coins', 'coins.py', []],
  ['Run "python coins.py" and see', 'coins.py', ['Amount: ']],
  ['"python coins.py 30" prints them, without an argument it asks for one', 'coins.py', ['?']],
  ['Write coins.py that prints "30"', 'coins.py', ['?']],
  ['"cat coins.txt x" shows it', 'coins.txt', ['?']],
])('else nothing speaks against it: %s', (goal, path, prompts) => {
  expect(asksInVain(goal, path, prompts)).toBeNull();
});
