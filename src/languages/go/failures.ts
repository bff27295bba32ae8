/** Pure: what failed in a run of Go's tests. */
import type { TestFailure } from '../language.ts';

const FAILED = /^--- FAIL: (\S+) .*\n((?:[ \t]+.*\n?)*)/gm;
const WHY = /^\s+(\S+\.go):\d+: (.*)$/m;
/** A compile error comes without any test. */
const NOT_BUILT = /^(?:\.[\\/])?(\S+\.go):\d+:\d+: (.*)$/gm;

export function failures(output: string): readonly TestFailure[] {
  const tests = [...output.matchAll(FAILED)].map(([, test = '', body = '']) => {
    const [, file = '', why = ''] = WHY.exec(body) ?? [];
    return { file, test, why };
  });
  if (tests.length > 0) return tests;
  return [...output.matchAll(NOT_BUILT)].map(([, file = '', why = '']) => ({
    file,
    test: '',
    why,
  }));
}
