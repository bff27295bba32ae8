import { expect, it } from 'vitest';
import { isQuestion } from '../../src/probe/goal-kind.ts';

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
