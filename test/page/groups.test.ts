/** The groups of the list of runs and conversations. */
import { expect, test } from 'vitest';
import { groupOf } from '../../src/page/fold/groups.ts';

test.each([
  ['idle', 'Ready'],
  ['closed', 'Ended'],
  ['working', 'Working'],
  ['killed', 'Stopped'],
  ['achieved', 'Ended'],
])('what is %s stands under %s', (standing, group) => {
  expect(groupOf(standing)).toBe(group);
});
