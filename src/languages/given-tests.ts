/** The tests that are there: how they are run here, and what a run of them says. Pure. */
import type { Installed, TestRun } from './language.ts';
import { LANGUAGES, languageOf } from './languages.ts';

/** By the first language that has tests among the files and can run them here. */
export function givenTests(files: readonly string[], installed: Installed): TestRun | null {
  for (const language of LANGUAGES) {
    const { runs } = language;
    const tests = files.filter((file) => languageOf(file) === language && language.isTest(file));
    const run = tests.length > 0 && runs?.canRun(installed) && runs.testRun(tests, installed);
    if (run) return run;
  }
  return null;
}

/** Each failure in a line: file, test, what is wrong; none where no runner is known by its output. */
export function failuresIn(output: string): readonly string[] {
  const text = output.replaceAll('\r\n', '\n');
  const found = LANGUAGES.map((language) => language.output?.failures?.(text) ?? []);
  return [...new Set(found.find((lines) => lines.length > 0) ?? [])];
}
