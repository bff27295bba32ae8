import { describe, expect, it } from 'vitest';
import { whatFails } from '../../src/languages/what-fails.ts';

const TSC = `src/a.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.
src/b.ts(3,1): error TS2304: Cannot find name 'x'.
`;
const isNotWorse = (after: string, before: string): boolean =>
  whatFails(after, '/work/a').every((one) => whatFails(before, '/work/a').includes(one));

describe('what fails in a command', () => {
  it('is the same where lines moved', () => {
    expect(isNotWorse(TSC.replace('12,5', '14,9'), TSC)).toBe(true);
  });

  it('is the same in another folder, however its paths are written', () => {
    const eslint = (folder: string, at: string): string =>
      `${folder}/src/a.ts\n  ${at}  error  'x' is not defined  no-undef\n\nError: boom\n    at file://${folder}/src/b.mjs:${at}\n`;
    const before = whatFails(eslint('/work/a', '3:5'), '/work/a');
    expect(whatFails(eslint('/tmp/copy', '9:1'), '/tmp/copy')).toEqual(before);
    expect(whatFails(eslint('/tmp/copy/lib', '9:1'), '/tmp/copy')).not.toEqual(before);
    const onWindows = (folder: string): string => `FAIL ${folder}\\src\\a.ts: boom\n`;
    expect(whatFails(onWindows('C:\\copy'), 'C:\\copy')).toEqual(
      whatFails(onWindows('C:\\work'), 'C:\\work'),
    );
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
