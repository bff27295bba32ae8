import { describe, expect, it } from 'vitest';
import { languagesOf } from '../../../src/languages/languages-of.ts';

const ALL = new Set(['python3', 'pytest', 'node', 'go']);
const namesOf = (goal: string) => languagesOf(goal, ALL).map(({ name }) => name);

describe('a goal is about Go', () => {
  it.each([
    'Write a Go program that prints the first ten primes',
    'Schreibe ein Programm in Go, das Primzahlen zeigt',
    '用Go写一个程序',
    'A word counter written in golang',
    'Fix the bug in main.go',
    'Add the missing line to go.mod',
  ])('%s', (goal) => {
    expect(namesOf(goal)).toContain('go');
  });

  it('by a file alone, and with the language that runs here where its name may be a word', () => {
    expect(namesOf('Fix main.go')).toEqual(['go']);
    expect(namesOf('Port calc.py to calc.go')).toEqual(['python', 'go']);
    expect(namesOf('Make the button say Go')).toEqual(['python', 'go']);
  });
});

describe('a goal is not about Go', () => {
  it.each([
    'Go through the files and list what each of them does',
    'List the files. Go to the folder src and read them',
    'Let the player go left, right, up and down',
    'Create a logo generator',
    'Find the category of good and cargo',
    'Fetch www.example.go.id and print its title',
    'Write a Go-kart game',
  ])('%s', (goal) => {
    expect(namesOf(goal)).not.toContain('go');
  });
});
