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

const RESULT = /^test result: \w+\. (\d+) passed; (\d+) failed;/gm;
/** Stands where the middle of an output is left out. */
const LEFT_OUT = /^…$/m;

/** Each program of tests counts its own; `null`: none does. */
export function cargoCounts(output: string): TestCounts | null {
  const results = [...output.matchAll(RESULT)];
  const sum = (at: 1 | 2) => results.reduce((total, found) => total + Number(found[at]), 0);
  if (results.length === 0) return null;
  return { failed: sum(2), passed: LEFT_OUT.test(output) ? null : sum(1) };
}
