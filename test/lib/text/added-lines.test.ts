import { expect, it } from 'vitest';
import { addedLines } from '../../../src/lib/text/added-lines.ts';

const added = (before: string, now: string): string =>
  addedLines([...before], [...now])
    .map((at) => `${[...now][at]}${at}`)
    .join(' ');

it.each([
  ['nothing', 'abc', 'abc', ''],
  ['a whole text', '', 'ab', 'a0 b1'],
  ['a line in the middle', 'abc', 'abxc', 'x2'],
  ['lines that stand elsewhere, too', '(ab)(cb)', '(ab)(xb)(cb)', 'x5 b6 )7 (8'],
  ['lines at two places', 'abcdef', 'axbcdyef', 'x1 y5'],
  ['a line in place of another', 'abc', 'axc', 'x1'],
  ['what was only taken away', 'abcd', 'ad', ''],
  ['what stands in another order', 'abc', 'bca', 'a2'],
])('%s', (_what, before, now, wanted) => {
  expect(added(before, now)).toBe(wanted);
});
