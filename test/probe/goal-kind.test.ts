import { describe, expect, it } from 'vitest';
import { asksToChange, asksToChangeTests } from '../../src/probe/goal-kind.ts';

describe('tests that were there', () => {
  it.each([
    ['Update the existing tests for the new name', true],
    ['Rename a to b and adapt the tests', true],
    ['The tests fail. Fix it (not in the tests)', false],
    ['Fix the failing tests', false],
    ['Fix calc.py. Do not change the tests', false],
    ["Fix calc.py, but don't ever change the tests", false],
    ['Repair it without having to rewrite tests', false],
    ['Repair the code rather than change the tests', false],
    ['Mend the code instead of removing it; never edit its tests', false],
  ])('%s: are to become others %s', (goal, wanted) => expect(asksToChangeTests(goal)).toBe(wanted));

  it('are changed by name only where that is not what is ruled out', () => {
    expect(asksToChange('Update test_calc.py for the new name', 'test_calc.py')).toBe(true);
    expect(asksToChange('Fix it and do not change test_calc.py', 'test_calc.py')).toBe(false);
    expect(asksToChange('Fix it; test_calc.py must never be edited', 'test_calc.py')).toBe(false);
  });
});
