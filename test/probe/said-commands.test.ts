import { describe, expect, it } from 'vitest';
import { saidCommands } from '../../src/probe/said-commands.ts';

const said = (goal: string) => saidCommands(goal).map(({ says, gives }) => [says, gives]);

describe('a command of which a goal says what it prints', () => {
  it.each([
    ['Area, e.g. python area.py 3 4 prints 12', 'e.g. python area.py 3 4 prints 12', '12'],
    ['It is loud: `node say.mjs hi` prints "HI".', 'node say.mjs hi` prints "HI"', 'HI'],
    ['A package, "python -m sums odd 1 2" gives 1', 'python -m sums odd 1 2" gives 1', '1'],
    ['so that node a.mjs x -> 3, and more', 'so that node a.mjs x -> 3', '3'],
  ])('is read: %s', (goal, says, gives) => {
    expect(said(goal)).toEqual([[says, gives]]);
  });

  it.each([
    ['no figure', 'python area.py W H prints the area'],
    ['words behind it', 'python area.py 3 4 prints 12 in red'],
    ['what it prints today', 'python area.py 3 4 prints 7, which is wrong'],
    ['what it does not', 'python area.py 3 4 prints 7 but not 8'],
    ['one word', 'area.py prints 12'],
    ['a list', 'python area.py 3 prints [1, 2]'],
  ])('is none: %s', (_, goal) => {
    expect(said(goal)).toEqual([]);
  });

  it('is read in a moment from a goal of many words', () => {
    expect(saidCommands('a prints '.repeat(20_000))).toEqual([]);
  });
});
