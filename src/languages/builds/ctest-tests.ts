/** Pure: the tests that ctest names and counts. */
import type { NamedTest, TestCounts } from '../language.ts';

/**
 * `1/2 Test #1: strutil .........   Passed    0.01 sec`, `***Failed`, `***Exception: SegFault`, `***Skipped`,
 * `Subprocess aborted***Exception`.
 */
const TEST =
  /^ *\d+\/\d+ Test +#\d+: (\S.*?) \.*(?: +| *(?:[A-Z][\w ]{0,40})?\*\*\*)(Passed|Skipped|Not Run|Failed|\w+)\b.* sec/gm;

export const ctestTests = (output: string): readonly NamedTest[] =>
  [...output.matchAll(TEST)].map(([, name = '', word = '']) => ({
    name,
    file: '',
    result:
      word === 'Passed' ? 'passed' : /^(?:Skipped|Not Run)$/.test(word) ? 'left_out' : 'failed',
  }));

const RESULT = /^\d+% tests passed, (\d+) tests? failed out of (\d+)/m;

/** `null`: this part counts none. */
export function ctestCounts(part: string): TestCounts | null {
  const [, failed, all] = RESULT.exec(part) ?? [];
  return failed === undefined
    ? null
    : { failed: Number(failed), passed: Number(all) - Number(failed) };
}
