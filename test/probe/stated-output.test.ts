import { describe, expect, it } from 'vitest';
import { isStated } from '../../src/probe/stated-output.ts';

describe('what a goal says is printed', () => {
  it.each([
    ['Write a hello world script', 'Hello, World!\n'],
    ['hello world script', 'hello world'],
    ['Write hello.mjs that says hello', 'Hello\n'],
    ['say hello', 'hello\n'],
    ['Make a.py that prints 42 and exits', '42'],
    ['Make a.py which prints exactly: Good morning, Vienna.', 'Good morning, Vienna\n'],
    ['A script that prints "one two" and then "three"', 'one two\nthree\n'],
    ['Can you make a.mjs which prints this?\n#\n##\n###', '#\n##\n###\n'],
    ['It should output the line "ready" to the console.', 'ready'],
    ['Write a.py that prints these lines\n1 1\n2 8\n3 27\n\nKeep it short.', '1 1\n2 8\n3 27\n'],
    ['Write a.py. Its output:\n```\n1\n\n2\n```\nThat is all.', '1\n\n2\n'],
  ])('%s: %j', (goal, output) => {
    expect(isStated(goal, output)).toBe(true);
  });

  it.each([
    ['a description is no output', 'Print the total of the orders', 'the total\n'],
    ['nor is its heading', 'Write a.py that prints "Total" and the sum', 'Total\n55\n'],
    ['a number of things is no figure', 'Write a.py that prints 10 primes', '10\n'],
    ['what it is called is no output', 'Create a rock paper scissors game', 'Rock Paper Scissors'],
    ['an input is no output', 'Write a.py that reverses "abc"', 'abc'],
    ['nor one that is changed', 'Write a.py that prints "abc" reversed', 'abc'],
    ['half of what is wanted', 'Print "one" and then "two"', 'one\n'],
    ['more than is wanted', 'Write hello.py that says hello', 'hello\nTraceback\n'],
    ['nothing at all', 'Write hello.py that says hello', '\n'],
    ['another figure', 'Make a.py that prints 42.', '43'],
    [
      'a last line that is shorter',
      'Make a.py which prints this?\n===\n======\n=========',
      '===\n======\n========',
    ],
    ['the first lines', 'Make a.py which prints this?\n===\n======\n=========', '===\n======'],
    ['the last lines', 'Make a.py that prints\n1 1\n2 8\n3 27', '2 8\n3 27'],
    ['pieces of lines', 'Make a.py that prints\n1 1\n2 8\n3 27', '1\n2 8\n3 27'],
    ['the first part of a fence', 'It prints:\n```\n1\n2\n\n3\n```', '1\n2'],
    ['a hello to somebody else', 'Write a hello world script', 'Hello, Mars!'],
  ])('%s', (_what, goal, output) => {
    expect(isStated(goal, output)).toBe(false);
  });
});
