/** What a model hears of a failure: how it ended, the first line that says what is wrong, and the file it stands in. */
import { expect, it } from 'vitest';
import { failureLines, shortFailure } from '../../../src/languages/testing/short-failure.ts';

const VERDICT = 'python a.py: it ended with exit code 1';
const NOISE = Array.from({ length: 90 }, (_, n) => `row ${n}`).join('\n');

it('a short one is told whole', () => {
  expect(shortFailure(`${VERDICT}\nboom`)).toBe(`${VERDICT}\nboom`);
});

it('of tests the first that failed, with its difference and its file', () => {
  const report = `test_a.py:3: AssertionError
FAILED test_a.py::test_add - assert -1 == 3
FAILED test_a.py::test_sub - assert 1 == 2`;
  expect(failureLines(report)).toEqual(['test_a.py, test_add: assert -1 == 3']);
});

it('of a traceback where it began and where it ended, with what is wrong', () => {
  const places = [1, 2, 3, 4].map((n) => `  File "a.py", line ${n}, in f${n}\n    f()`);
  const trace = `Traceback (most recent call last):\n${places.join('\n')}\nValueError: no number`;
  expect(shortFailure(`${VERDICT}\n${NOISE}\n${trace}\nHint: It did not end.`)).toBe(
    `${VERDICT}
row 0
  File "a.py", line 1, in f1
  File "a.py", line 2, in f2
ValueError: no number
Hint: It did not end.`,
  );
});

it('of one in which no line tells anything its end', () => {
  expect(shortFailure(`${VERDICT}\n${NOISE}`)).toBe(`${VERDICT}\nrow 0\n…${NOISE.slice(-400)}`);
});
