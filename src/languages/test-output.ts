/** Pure: what the output of test runners says, whichever of them it was. */
import { LANGUAGES } from './languages.ts';

const SUMMARY_CHARS = 600;

/** How many tests failed, where a runner counts them at the end of its output; else `null`. */
export function failingTests(output: string): number | null {
  const summary = output.trimEnd().slice(-SUMMARY_CHARS);
  for (const { output: reading } of LANGUAGES) {
    const count = reading?.failingTests(summary) ?? null;
    if (count !== null) return count;
  }
  return null;
}

/** `none`: a test runner found no test; `no_pass`: none of those it found passed; else `null`. */
export function testsThatRan(output: string): 'none' | 'no_pass' | null {
  const said = LANGUAGES.map((language) => language.output?.testsThatRan(output) ?? null);
  return said.find((one) => one === 'none') ?? said.find((one) => one !== null) ?? null;
}

/** True where a test runner found nothing to run, as it prints or as its exit code says. */
export function foundNoTests(cmd: string, output: string, exitCode: number | null): boolean {
  if (testsThatRan(output) === 'none') return true;
  return LANGUAGES.some(
    (language) =>
      exitCode !== null &&
      language.output?.noTestsExit?.code === exitCode &&
      (language.runs?.runsTests(cmd) ?? false),
  );
}

/** What an exit code means by itself, or `null`. */
export const meaningOfExit = (exitCode: number): string | null =>
  LANGUAGES.map(({ output }) => output?.noTestsExit).find((exit) => exit?.code === exitCode)
    ?.meaning ?? null;

/** A line of a traceback or a test report that says what is wrong. */
export const isTellingLine = (line: string): boolean =>
  LANGUAGES.some(({ output }) => output?.tellingLine.test(line) ?? false);

/** The same, or another line of a test report or a compiler that says that something failed. */
export const isFailureLine = (line: string): boolean =>
  LANGUAGES.some(
    ({ output }) => output?.tellingLine.test(line) || output?.failureLine?.test(line) === true,
  );
