import { describe, expect, it } from 'vitest';
import { whatFails } from '../../src/languages/what-fails.ts';

const TSC = `src/a.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.
src/b.ts(3,1): error TS2304: Cannot find name 'x'.
`;
const isNotWorse = (after: string, before: string): boolean =>
  whatFails(after).every((one) => whatFails(before).includes(one));

describe('what fails in a command', () => {
  it('is the same where lines moved', () => {
    expect(isNotWorse(TSC.replace('12,5', '14,9'), TSC)).toBe(true);
  });

  it('is less where one is mended, and more where one came', () => {
    const [first = ''] = TSC.split('\n');
    expect(isNotWorse(`${first}\n`, TSC)).toBe(true);
    expect(isNotWorse(TSC, `${first}\n`)).toBe(false);
  });

  it('is more where the very same stands there twice, or another kind of it', () => {
    expect(isNotWorse(`${TSC}${TSC}`, TSC)).toBe(false);
    expect(isNotWorse(TSC.replace('TS2304', 'TS2305'), TSC)).toBe(false);
  });

  it('is the tests that failed, whatever else was run beside them', () => {
    const pytest = (names: readonly string[], passed: number): string =>
      `${names.map((name) => `FAILED test_a.py::${name} - assert 1 == 2`).join('\n')}\n${names.length} failed, ${passed} passed in 0.0${passed}s\n`;
    expect(isNotWorse(pytest(['test_x'], 7), pytest(['test_x', 'test_y'], 3))).toBe(true);
    expect(isNotWorse(pytest(['test_x', 'test_z'], 3), pytest(['test_x'], 3))).toBe(false);
  });
});
