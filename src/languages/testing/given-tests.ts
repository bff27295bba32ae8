/** Pure: the existing tests: how they are run here, and what a run of them reports. */
import type { Installed, TestFailure, TestRun } from '../language.ts';
import { LANGUAGES } from '../languages.ts';
import { failedIn } from './test-output.ts';
import { testRunOf } from './test-runs.ts';

/** Chosen by the first language that has tests among the files and can run them here. */
export const usersTestRun = (files: readonly string[], installed: Installed): TestRun | null =>
  testRunOf(
    files,
    installed,
    LANGUAGES.filter(({ runs }) => runs?.canRun(installed)),
  );

/** Each failure in one line: file, test, what is wrong; none if no runner's output is recognised. */
export const failuresIn = (output: string): readonly string[] => [
  ...new Set(failedIn(output).map(lineOf)),
];

const lineOf = ({ file, test, why }: TestFailure): string =>
  [[file, test].filter(Boolean).join(', '), why].filter(Boolean).join(': ');
