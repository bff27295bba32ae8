/** Calls beside the goal's own: near, few, and never empty. */
import { describe, expect, it } from 'vitest';
import { neighbours } from '../../src/probe/neighbours.ts';

const example = (...args: readonly unknown[]) => ({ args });

const argsOf = (...args: readonly unknown[]) =>
  neighbours([example(...args)]).map((one) => one.args);

describe('calls beside an example', () => {
  it('differ in one argument, each argument once before any twice', () => {
    expect(argsOf(60, 4)).toEqual([
      [61, 4],
      [60, 5],
      [59, 4],
      [60, 3],
    ]);
  });

  it.each([
    ['a truth', true, [[false]]],
    ['a number below one', 0, [[1]]],
    ['a text', 'abc', [['ab'], ['abcabc']]],
    ['a list', [1, 2], [[[1]], [[1, 2, 1, 2]]]],
    ['a text of one letter', 'a', []],
    ['a list of one', [1], []],
    ['nothing', null, []],
    ['an object', { a: 1 }, []],
  ])('of %s are what is nearest to it, and nothing empty', (_, value, expected) => {
    expect(argsOf(value)).toEqual(expected);
  });

  it('are four of an example and eight together at most', () => {
    const many = [example(1, 2, 3), example(4, 5, 6), example(7, 8, 9)];
    expect(neighbours(many).map((one) => many.indexOf(one.example))).toEqual([
      ...[0, 0, 0, 0],
      ...[1, 1, 1, 1],
    ]);
    expect(neighbours([example()])).toEqual([]);
  });
});
