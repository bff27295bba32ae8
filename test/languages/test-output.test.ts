import { describe, expect, it } from 'vitest';
import { failingTests } from '../../src/languages/test-output.ts';

describe('the number of failing tests', () => {
  it.each([
    ['pytest', 'FAILED test_a.py::test_b - assert 1 == 2\n3 failed, 9 passed in 0.04s\n', 3],
    ['pytest that cannot collect', 'ERROR test_a.py\n1 error in 0.02s\n', 1],
    ['node --test', '# tests 4\n# pass 2\n# fail 2\n# cancelled 0\n', 2],
    ['node --test for people', 'ℹ tests 4\nℹ pass 3\nℹ fail 1\n', 1],
    ['unittest', 'Ran 3 tests in 0.001s\n\nFAILED (failures=1, errors=2)\n', 2],
    ['vitest', ' Test Files  1 failed (1)\n      Tests  4 failed | 2 passed (6)\n', 4],
  ])('is read from the summary of %s', (_, output, count) => {
    expect(failingTests(output)).toBe(count);
  });

  it('is unknown where nothing counts, and is not taken from what a program prints before', () => {
    expect(failingTests('Traceback: boom\n')).toBeNull();
    expect(failingTests(`2 failed\n${'x'.repeat(700)}\nboom\n`)).toBeNull();
  });
});
