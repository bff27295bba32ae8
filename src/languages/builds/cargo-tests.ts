/** Pure: the tests that a run of cargo names and counts. */
import type { NamedTest, TestCounts } from '../language.ts';

/** A program of tests begins, a test ends, or the program ends. */
const LINE =
  /^(?:(running) \d+ tests?|test (\S.*?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b.*|(test result): .*)$/gm;

export function cargoTests(output: string): readonly NamedTest[] {
  const found: NamedTest[] = [];
  let isOpen = false;
  const close = (): void => {
    if (isOpen) found.push({ name: '', file: '', result: 'cut_off' });
  };
  for (const [, begun, name, word, ended] of output.matchAll(LINE)) {
    if (begun !== undefined) close();
    if (begun !== undefined || ended !== undefined) isOpen = begun !== undefined;
    const result = word === 'ok' ? 'passed' : word === 'FAILED' ? 'failed' : 'left_out';
    if (name !== undefined) found.push({ name, file: '', result });
  }
  close();
  return found;
}

const RESULT = /^test result: \w+\. (\d+) passed; (\d+) failed;/m;

/** Each test program counts its own tests; `null`: this part counts none. */
export function cargoCounts(part: string): TestCounts | null {
  const [, passed, failed] = RESULT.exec(part) ?? [];
  return passed === undefined ? null : { failed: Number(failed), passed: Number(passed) };
}
