import { describe, expect, it } from 'vitest';
import { whatFails } from '../../../src/languages/testing/what-fails.ts';

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

  const ESLINT = (files: readonly string[]): string =>
    `${files.map((file) => `/work/a/${file}\n  1:7  error  'x' is never used  no-unused-vars\n`).join('\n')}\n✖ ${files.length} problem${files.length > 1 ? 's' : ''} (${files.length} errors, 0 warnings)\n`;
  const PRETTIER = (files: readonly string[]): string =>
    `Checking formatting...\n${files.map((file) => `[warn] ${file}\n`).join('')}[warn] Code style issues found in ${files.length > 1 ? `${files.length} files` : 'the above file'}. Run Prettier with --write to fix.\n`;
  const MYPY = (files: readonly string[]): string =>
    `${files.map((file) => `${file}.py:3: error: Name "x" is not defined  [name-defined]\n`).join('')}Found ${files.length} error${files.length > 1 ? 's' : ''} in ${files.length} file${files.length > 1 ? 's' : ''} (checked 4 source files)\n`;

  it.each([
    ['eslint', ESLINT],
    ['prettier', PRETTIER],
    ['mypy', MYPY],
  ])(
    'is no less than what the lines of %s say: how many they are counts for nothing',
    (_name, of) => {
      expect(isNotWorse(of(['a.js']), of(['a.js', 'b.js']))).toBe(true);
      expect(isNotWorse(of(['a.js', 'b.js']), of(['a.js', 'b.js']))).toBe(true);
      expect(isNotWorse(of(['a.js', 'b.js', 'c.js']), of(['a.js', 'b.js']))).toBe(false);
    },
  );

  it('is the tests that failed, whatever else was run beside them', () => {
    const pytest = (names: readonly string[], passed: number): string =>
      `${names.map((name) => `FAILED test_a.py::${name} - assert 1 == 2`).join('\n')}\n${names.length} failed, ${passed} passed in 0.0${passed}s\n`;
    expect(isNotWorse(pytest(['test_x'], 7), pytest(['test_x', 'test_y'], 3))).toBe(true);
    expect(isNotWorse(pytest(['test_x', 'test_z'], 3), pytest(['test_x'], 3))).toBe(false);
  });
});
