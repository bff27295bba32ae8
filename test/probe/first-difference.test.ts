import { describe, expect, it } from 'vitest';
import { firstDifference } from '../../src/probe/first-difference.ts';

const NUMBERED = Array.from({ length: 300 }, (_, at) => `${at + 1}`).join('\n');

describe('Where an output differs first from what was wanted', () => {
  it.each([
    ['one line: the nearest one', 'a\nTotal: 12.5\n', 'Total: 12.50', "line 2 is 'Total: 12.5'"],
    [
      'several lines: the first that differs',
      'Name  Price\napple 3\npear 4\n',
      'Name Price\napple 3\npear 5',
      "line 3: expected 'pear 5', printed 'pear 4'",
    ],
    [
      'lines behind others',
      'Welcome!\none\ntwo\nfour\n',
      'one\ntwo\nthree',
      "line 4: expected 'three', printed 'four'",
    ],
    ['too few lines', 'one\n', 'one\ntwo', "line 2: expected 'two', it ended before"],
    ['lines behind many', NUMBERED, '200\n999', "line 201: expected '999', printed '201'"],
    ['lines far behind', NUMBERED, '250\n251\n9', "line 252: expected '9', printed '252'"],
    ['Windows line ends', 'one\r\ntwo\r\n', 'one\ntow', "line 2: expected 'tow', printed 'two'"],
    ['all lines are there', 'one\ntwo\n', 'one\ntwo', null],
    ['nothing was printed', '', 'one', null],
    ['nothing was wanted', 'one', '', null],
  ])('%s', (_, output, wanted, said) => {
    expect(firstDifference(output, wanted)).toBe(said);
  });

  it('is short, however long the lines are', () => {
    const said = firstDifference('x'.repeat(5000), `${'x'.repeat(4999)}y\nmore`) ?? '';
    expect(said.length).toBeLessThan(300);
  });
});
