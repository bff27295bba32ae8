import { expect, test } from 'vitest';
import { editDistance } from '../../../src/lib/text/edit-distance.ts';

test.each([
  ['status', 'status', 0],
  ['statsu', 'status', 1],
  ['stats', 'status', 1],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
])('from %j to %j it is %i edits', (from, to, edits) => {
  expect(editDistance(from, to)).toBe(edits);
});

test('a swap is one edit, or two where it is nothing of its own', () => {
  expect(editDistance('mian.py', 'main.py')).toBe(1);
  expect(editDistance('mian.py', 'main.py', 2)).toBe(2);
});
