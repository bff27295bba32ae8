import { describe, expect, it } from 'vitest';
import { languagesOf } from '../../../src/languages/languages.ts';

const ALL = new Set(['python3', 'pytest', 'node', 'go']);
const namesOf = (goal: string, files: readonly string[] = []) =>
  languagesOf(goal, files, ALL).map(({ name }) => name);

describe('a goal is about Go', () => {
  it.each([
    'Write a Go program that prints the first ten primes',
    'write a go program that sorts a file',
    'Write hello world in Go',
    'write hello world in go',
    'Implement a stack in Go, with tests',
    'In Go write a function that reverses a text',
    'A word counter written in golang',
    'Fix the bug in main.go',
    'Fix all *.go files',
    'Make go test ./... pass',
    'Add the missing line to go.mod',
    'Build a small CLI with Go',
    'Explain how the goroutines of this program end',
    'Translate sort.py to Go',
    'Make the Go code shorter',
    'Create a Go package for complex numbers',
  ])('%s', (goal) => {
    expect(namesOf(goal)).toContain('go');
  });

  it('that names another language too', () => {
    expect(namesOf('Port calc.py to calc.go')).toEqual(['python', 'go']);
    expect(namesOf('Write it in Go')).toEqual(['go']);
  });

  it('whose plan names its files', () => {
    expect(namesOf('Write a stack', ['go.mod', 'stack.go'])).toEqual(['go']);
  });
});

describe('a goal is not about Go', () => {
  it.each([
    'Go through the files and list what each of them does',
    'go through all files and count the lines',
    'Go to the folder src and read the README',
    'Let the player go left, right, up and down',
    'Write a to-do list and go on until the tests pass',
    'Make the button say Go',
    'Add a "Go" button that starts the search',
    'Write a game of Go with a 9x9 board',
    'Implement the board game Go in Python',
    'A script that asks where to go on holiday',
    'Go file by file and remove unused imports',
    'Go package by package through node_modules',
    'Ready, set, go: a reaction game',
    'Write a countdown that ends with go!',
    'Do it in one go',
    'Sort all names in one go, then print them',
    'Print how many days are left to go',
    'Convert the list of places to go into a table',
    'Write a coffee-to-go order program',
    'An on the go app for notes',
    'Fix what goes wrong when a number is negative',
    'Write a Django project with one page',
    'Create a logo generator',
    'Find the category of good and cargo',
    'Make history.go(-1) work in page.html',
    'Fetch www.example.go.id and print its title',
    'Go ahead and write hello world',
    'Write a mango counter with tests',
    'Let the robot go forward, then test it',
    'Go run the tests and fix what fails',
    'Go build a calculator',
    'Go code a parser for dates',
  ])('%s', (goal) => {
    expect(namesOf(goal)).not.toContain('go');
  });
});
