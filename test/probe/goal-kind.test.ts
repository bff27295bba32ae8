import { describe, expect, it } from 'vitest';
import {
  asksToChange,
  asksToChangeTests,
  isQuestion,
  mayChangeTests,
  tellsByItself,
} from '../../src/probe/goal-kind.ts';

it.each([
  'What is in this folder?',
  'How many lines has notes.txt?',
  'List the files',
  'Read all notes and tell the secret of the last one',
  'Summarize README.md',
  'Please explain main.py',
  'Which of the two is larger?',
  'In bill.txt, how much is the rent?',
])('wants to know something: %s', (goal) => {
  expect(isQuestion(goal)).toBe(true);
});

it.each([
  'Write a hello world script',
  'Can you create a script that counts words?',
  'Show the sum of data.csv and save it in sum.txt',
  'Greet the world',
  'Fix the failing test and explain why it failed',
  'The greeting should say bye',
  'Écris un fichier',
  'Could you polish the introduction?',
  'Kannst du den Text verbessern?',
  '¿Puedes arreglar la prueba que falla?',
])('wants something made, as far as one can tell: %s', (goal) => {
  expect(isQuestion(goal)).toBe(false);
});

describe('something that is run and prints', () => {
  it.each([
    ['Make a Python program that prints how often each level comes up', true],
    ['I want a script which shows the ten longest lines', true],
    ['Write a small tool printing the day of the week', true],
    ['Write a module stack.py. A program that prints is not needed', false],
    ['Write a function that prints its argument', false],
    ['Write a package with a script that prints its version', false],
    ['Write a program. It sorts lines.txt', false],
    ['Fix the script; the tests show what is wrong', false],
    ['Refactor parse.py', false],
    ['Create a hangman game', true],
    ['I want a quiz about capitals', true],
    ['Write a class Board for a game of chess', false],
    ['Fix game.py', false],
    ['Sort games.csv by year', false],
  ])('%s: %s', (goal, wanted) => expect(tellsByItself(goal)).toBe(wanted));
});

describe('tests that were there', () => {
  it.each([
    ['Update the existing tests for the new name', true],
    ['Rename a to b and adapt the tests', true],
    ['The tests fail. Fix it (not in the tests)', false],
    ['Fix the failing tests', false],
    ['Fix calc.py. Do not change the tests', false],
    ["Fix calc.py, but don't ever change the tests", false],
    ['Repair it without having to rewrite tests', false],
    ['Repair the code rather than change the tests', false],
    ['Mend the code instead of removing it; never edit its tests', false],
  ])('%s: are to become others %s', (goal, wanted) => expect(asksToChangeTests(goal)).toBe(wanted));

  it('are changed by name only where that is not what is ruled out', () => {
    expect(asksToChange('Update test_calc.py for the new name', 'test_calc.py')).toBe(true);
    expect(asksToChange('Fix it and do not change test_calc.py', 'test_calc.py')).toBe(false);
    expect(asksToChange('Fix it; test_calc.py must never be edited', 'test_calc.py')).toBe(false);
  });

  it.each([
    ['Add a test for negative numbers', true],
    ['The tests fail; find out why', false],
    ['Make the tests pass', false],
    ['Please fix whatever is wrong until the tests are green', false],
  ])('%s: more of them may be wanted %s', (goal, wanted) =>
    expect(mayChangeTests(goal)).toBe(wanted),
  );
});
