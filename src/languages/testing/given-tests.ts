/** Pure: the existing tests: how they are run here, and what a run of them reports. */
import type { Installed, TestFailure, TestRun } from '../language.ts';
import { LANGUAGES } from '../languages.ts';
import { testRunOf } from './test-runs.ts';

/** Chosen by the first language that has tests among the files and can run them here. */
export const usersTestRun = (files: readonly string[], installed: Installed): TestRun | null =>
  testRunOf(
    files,
    installed,
    LANGUAGES.filter(({ runs }) => runs?.canRun(installed)),
  );

/** Each failure in one line: file, test, what is wrong; none if no runner's output is recognised. */
export function failuresIn(output: string): readonly string[] {
  const text = output.replaceAll('\r\n', '\n');
  const found = LANGUAGES.map((language) => language.output?.failures?.(text) ?? []);
  return [...new Set((found.find((some) => some.length > 0) ?? []).map(lineOf))];
}

const lineOf = ({ file, test, why }: TestFailure): string =>
  [[file, test].filter(Boolean).join(', '), why].filter(Boolean).join(': ');
