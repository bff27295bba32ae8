import { describe, expect, it } from 'vitest';
import { goalExamples } from '../../src/probe/goal-examples.ts';

const said = (goal: string) => goalExamples(goal).map(({ says }) => says);

describe('an example that a goal states', () => {
  it.each([
    [
      'mean_of(numbers) returns the mean (mean_of([15,17,19]) gives 17).',
      'mean_of([15,17,19]) gives 17',
    ],
    ['initials("mara van dyk") gives "MVD"', 'initials("mara van dyk") gives "MVD"'],
    ['Write add(a, b) in calc.py. add(2, 3) is 5.', 'add(2, 3) is 5'],
    ['slug("A b") -> "a-b"', 'slug("A b") -> "a-b"'],
    ['a function where `double(4)` returns `8`, please', 'double(4) returns 8'],
    ['calc.area(2, 3) == 6 and so on', 'calc.area(2, 3) == 6'],
    ['last([]) is None for an empty list', 'last([]) is None'],
    ['Fix the bug in stats.py: median([3, 1, 2]) should be 2.', 'median([3, 1, 2]) should be 2'],
    ['Asks for spools and prints ells. A spool holds 40 ells, so 2 gives 80.', '2 gives 80'],
    ['Turns a name round: "Anna Berg" becomes "Berg, Anna".', '"Anna Berg" becomes "Berg, Anna"'],
    ['Converts degrees, for example 100 -> 212', '100 -> 212'],
  ])('is read: %s', (goal, example) => {
    expect(said(goal)).toEqual([example]);
  });

  it.each([
    ['an expression', 'add(a, b) returns a + b'],
    ['words behind the value', 'top(3) returns 3 words'],
    ['what is wrong today', 'mean([1, 2]) returns 1 but should return 1.5'],
    ['what is wrong today, in another sentence', 'There is a bug. mean([1, 2]) returns 1.'],
    ['what something gave instead', 'round_up(2.1) gives 2 instead of 3'],
    ['a negation', 'f(2) is not 3'],
    ['a sum', 'adding the numbers from 1 to 7 gives 28'],
    ['a product', 'A dozen is 12, and 3 times 4 gives 12'],
    ['a figure with a comma in it', 'total(3) is 1,500'],
    ['two values for one call', 'f(1) is 2. f(1) is 3.'],
    ['a call without a value', 'call run("x") and then wait(3)'],
    ['a sample of the output', 'one line each, like this: "1 x ladder = 29"'],
    ['a version', 'set version(1) to 2.0.1'],
    ['a step of a list', '1. Write a.py\n2. Run it'],
    ['a method of a thing made before', 'countOf(name), for example 8 after receive("basket", 11)'],
  ])('is none: %s', (_, goal) => {
    expect(said(goal)).toEqual([]);
  });

  it('brings its values as JSON has them', () => {
    expect(goalExamples("pick({'a': [1, True]}, None) should return -2.5")).toEqual([
      expect.objectContaining({ name: 'pick', args: [{ a: [1, true] }, null], gives: -2.5 }),
    ]);
  });

  it('is read in a moment from a goal of many brackets', () => {
    expect(goalExamples('f('.repeat(20_000))).toEqual([]);
  });
});
