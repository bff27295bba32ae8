import { expect, it } from 'vitest';
import { errorTold } from '../../../src/drivers/guided/error-told.ts';

const TAP = `node --test: it ended with exit code 1
TAP version 13
# Subtest: clip
not ok 1 - clip
  ---
  location: '/ws/tools.test.js:2:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly deep-equal:
  code: 'ERR_ASSERTION'
  expected: 'lig..'
  actual: 'light..'
  operator: 'deepStrictEqual'
  stack: |-
    TestContext.<anonymous> (/ws/tools.test.js:2:25)
  ...
# fail 1
Hint: Look there.`;

it('of a report that buries its failures each is told in a line, with what ended and the hints', () => {
  expect(errorTold(TAP, 1000)).toBe(
    [
      'node --test: it ended with exit code 1',
      "tools.test.js, clip: is 'light..', not 'lig..'",
      'Hint: Look there.',
    ].join('\n'),
  );
});

it('of any other its own lines tell it', () => {
  const trace = `${'x\n'.repeat(900)}ValueError: no number\n`;
  expect(errorTold(`python a.py: it ended with exit code 1\n${trace}`, 1000)).toBe(
    'python a.py: it ended with exit code 1\nValueError: no number',
  );
});
