/**
 * Rules that fire on words of a goal, each on the same goals that nobody has tuned on: they fire
 * where the words mean it, and stay silent at the traps.
 */
import { describe, expect, it } from 'vitest';
import { asksForTests, mayAskForTests } from '../../src/languages/goal-words.ts';
import { languagesOf } from '../../src/languages/languages.ts';
import { packageAskedFor } from '../../src/languages/python/goal-package.ts';

interface Meant {
  readonly tests?: boolean;
  /** The name of the package, '' for one without. */
  readonly package?: string;
}

const MEANT: readonly (readonly [goal: string, meant: Meant])[] = [
  ['Create a mathx package with tests', { tests: true, package: 'mathx' }],
  ['Write fizzbuzz with tests', { tests: true }],
  ['Write a package called shapes, with tests', { tests: true, package: 'shapes' }],
  ['Create a Python package named cooking with a module units.py', { package: 'cooking' }],
  ['Create a Python package', { package: '' }],
  [
    'Make a small installable package for dates, and unit tests for it',
    { tests: true, package: '' },
  ],
  ['Turn these two files into a package called garden', { package: 'garden' }],
  [
    'Create a Python package orchard with orchard/trees.py and orchard/fruit.py',
    { package: 'orchard' },
  ],
  ['Please build a package tides; "from tides import height" has to work', { package: 'tides' }],
  ['I need the geometry package that main.py imports', { package: 'geometry' }],
  ['A small module with tests please: queue.py, class Queue', { tests: true }],
  ['Create rooms.py with these functions, and pytest tests for them: area(a, b)', { tests: true }],
  ['Write slug.py and a test for it', { tests: true }],
  ['Create csv2json.py that turns a CSV file into JSON, and a test for it', { tests: true }],
  ['Add unit tests for parser.py', { tests: true }],
  ['Write tests for the parse function', { tests: true }],
  ['Write a stack in JavaScript, with tests.', { tests: true }],
  ['Make a queue module and a few small tests of it', { tests: true }],
  ['Give me a Roman numeral converter including tests', { tests: true }],
  ['Write bank.py. Also add a test suite.', { tests: true }],
  ['Make sure that python -m pytest passes', { tests: true }],
  ['Write a vector class and test cases for it', { tests: true }],
  ['Write limits.py with clamp(x, a, b) and unit tests in test_limits.py', { tests: true }],
  ['Write a lexer, and some tests too', { tests: true }],
];

const TRAPS: readonly string[] = [
  'Read the version from package.json',
  'Print the version from package.json and nothing else',
  'Read "name" from package.json and write it into NAME.txt',
  'Write a test plan document',
  'Write a test plan for the new heating as plan.md',
  'Describe the script of a play in three sentences',
  'Write the script of a short play about a lighthouse as play.txt',
  'Write a program that reads test.csv and prints the highest mark',
  'Write a package tracker that lists parcels by their weight',
  'Create a package tracking page in HTML',
  'Make this folder an npm package called olive-oil',
  'Build a node package that exports add(a, b)',
  'Write a letter about a package that never came',
  'Count how often the word package stands in letter.txt',
  'Rename package-lock.json to old-lock.json',
  'Write a program that tests whether a number is prime',
  'Print "this is a test"',
  'Write a quiz that makes a vocabulary test out of words.txt',
  'Write latest.py which prints the newest line of log.txt',
  'Sort contest.txt by the points of the contestants',
  'Give every pupil in test-results.csv a mark',
  'Write a summary of the blood test report in report.txt',
  'Explain what the module in engine.md is for, the one of the spacecraft',
  'Write a timetable for the module exams',
  'List the good and bad inputs of the form in form.md',
  'Write a poem about a node in a network',
  'Show which script of the theatre in plays.csv is the longest',
  'Write a checklist for packing a package of books',
  'Make the package smaller by removing the big pictures in assets/',
  'Write plan.md with a list of tests',
  'Install the requests package',
  'Write down in notes.txt which package on the shelf is the heaviest',
  'Convert the test scores in scores.csv to percent',
  'Say which tests in this folder fail',
  'What is the longest test?',
  'Write a hello world script',
  'Create a rock-paper-scissors game',
];

describe('the words of a goal', () => {
  it('are held against more than fifty goals, many of them traps', () => {
    expect(MEANT.length + TRAPS.length).toBeGreaterThan(50);
    expect(TRAPS.length).toBeGreaterThan(15);
  });

  it.each(MEANT)('mean it: %s', (goal, meant) => {
    expect([asksForTests(goal), packageAskedFor(goal)]).toEqual([
      meant.tests ?? false,
      meant.package ?? null,
    ]);
  });

  it.each(TRAPS)('do not mean tests or a package: %s', (goal) => {
    expect([asksForTests(goal), packageAskedFor(goal)]).toEqual([false, null]);
  });

  it.each(MEANT.filter(([, { tests }]) => tests))('let planned tests stay: %s', (goal) => {
    expect(mayAskForTests(goal)).toBe(true);
  });
});

describe('a language is named', () => {
  const named = (goal: string) => languagesOf(goal, [], new Set()).map(({ name }) => name);

  it.each([
    ['Write a JavaScript program that sums its arguments', ['javascript']],
    ['Write total.js that adds up the column', ['javascript']],
    ['A server in node.js that says hello', ['javascript']],
    ['Add a route to the express app', ['javascript']],
    ['Run npm test and mend what fails', ['javascript']],
    ['Write hello.py', ['python']],
    ['Write a python program and a TypeScript one', ['python', 'javascript']],
    ['Use pandas to read sales.csv', ['python']],
  ])('%s', (goal, languages) => {
    expect(named(goal)).toEqual(languages);
  });

  it.each([
    'Express 12 inches in centimetres and write it into length.txt',
    'Write a timetable of the express trains in trains.txt',
    'The flask holds two litres: put that into lab.txt',
    'Count the pips of every card in cards.txt: a pip is a mark',
    'Write an essay about pandas and bamboo',
    'Describe the node where both paths meet',
    'Write a note to Django Reinhardt',
  ])('or not: %s', (goal) => {
    expect(named(goal)).toEqual([]);
  });
});
