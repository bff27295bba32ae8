/** Pure: what the output of test runners says, of whatever runner. */
import { onOneLine } from '../../lib/text/one-line.ts';
import { cargoCounts } from '../builds/cargo-tests.ts';
import { ctestCounts } from '../builds/ctest-tests.ts';
import { mavenCounts, mavenCountsEnds } from '../builds/maven-tests.ts';
import { proveCounts } from '../builds/prove-tests.ts';
import type { OutputReading, TestCounts, TestFailure } from '../language.ts';
import { LANGUAGES } from '../languages.ts';
import { testCommandIn } from './test-programs.ts';

const SUMMARY_CHARS = 600;

/** The first language also recognises the counts of unknown runners, so it is asked last. */
const COUNTING = [...LANGUAGES].reverse();

/** The file without which a command cannot run, according to its runtime; `null`: none is missing. */
export const missingFile = (output: string): string | null =>
  LANGUAGES.map(({ output: reading }) => reading?.missingFile?.(output) ?? null).find(
    (path) => path !== null,
  ) ?? null;

/** True if a runtime says that a foreign package is not installed. */
export const lacksPackage = (output: string): boolean =>
  LANGUAGES.some(({ output: reading }) => reading?.lacksPackage?.(output) === true);

export const failedTests = (output: string): readonly string[] => [
  ...new Set(failedIn(output).map(({ file, test }) => test || file)),
];

/** The file of each failed test, as its runner names it. */
export const failedFiles = (output: string): readonly string[] =>
  failedIn(output).map(({ file }) => file);

/**
 * The lines as their runners print them, without what a program that starts several runners puts in front.
 */
export const plainOutput = (output: string): string =>
  LANGUAGES.reduce(
    (text, { output: reading }) => reading?.plain?.(text) ?? text,
    output.replaceAll('\r\n', '\n'),
  );

/** The failures by the first language that recognises any. */
export function failedIn(output: string): readonly TestFailure[] {
  const text = plainOutput(output);
  const all = LANGUAGES.map(({ output: reading }) => reading?.failures?.(text) ?? []);
  return all.find((some) => some.length > 0) ?? [];
}

/**
 * The end of an output; if a runner prints failures and tables below its counts, the end of the part above
 * them.
 */
function summaryOf(text: string): string {
  const end = text.trimEnd().slice(-SUMMARY_CHARS);
  if (partsIn(end).length > 0 || lastCounts(end) !== null) return end;
  const ends = [
    ...LANGUAGES.flatMap(({ output: reading }) => reading?.countsEnd?.(text) ?? []),
    ...mavenCountsEnds(text),
  ];
  return ends.length === 0
    ? end
    : text
        .slice(0, Math.max(...ends))
        .trimEnd()
        .slice(-SUMMARY_CHARS);
}

/** `none`: a test runner found no test; `no_pass`: none of the tests passed; else `null`. */
export function testsThatRan(output: string): 'none' | 'no_pass' | null {
  const text = plainOutput(output);
  const said = LANGUAGES.map((language) => language.output?.testsThatRan(text) ?? null);
  const one = said.find((what) => what === 'none') ?? said.find((what) => what !== null) ?? null;
  return one === null || somePassed(output) ? null : one;
}

/** A run of several parts may have one without tests: each part counts its own. */
const somePassed = (output: string): boolean => testsInAllParts(output).passed > 0;

/** Some runners spread one count over two lines. */
const PART_END = new RegExp(
  `\\r?\\n(?!${LANGUAGES.flatMap(({ output }) => output?.countGoesOn?.source ?? []).join('|')})`,
);

const NONE: TestCounts = { failed: 0, passed: 0 };

const addCounts = (sum: TestCounts, { failed, passed }: TestCounts): TestCounts => ({
  failed: sum.failed + failed,
  passed: sum.passed === null || passed === null ? null : sum.passed + passed,
});

/** The counts of all parts of a run, in the forms of known runners. */
const partsIn = (output: string): readonly TestCounts[] =>
  output.split(PART_END).flatMap((part) => countsOfPart(part) ?? []);

function countsOfPart(part: string): TestCounts | null {
  for (const { output: reading } of LANGUAGES) {
    const counts = reading?.partCounts?.(part) ?? null;
    if (counts !== null) return counts;
  }
  return cargoCounts(part) ?? proveCounts(part) ?? ctestCounts(part) ?? mavenCounts(part);
}

/** How many tests passed and were left out, in all parts of a run together. */
export function testsInAllParts(output: string): {
  readonly passed: number;
  readonly skipped: number;
} {
  const most = (count: (reading: OutputReading) => number | null | undefined): number =>
    Math.max(0, ...LANGUAGES.map(({ output: reading }) => (reading && count(reading)) ?? 0));
  const text = plainOutput(output);
  const parts = partsIn(text);
  const found = { passed: 0, skipped: 0 };
  for (const { passed } of parts) found.passed += passed ?? 0;
  for (const line of text.split(PART_END)) {
    if (parts.length === 0) found.passed += most((reading) => reading.testCounts?.(line)?.passed);
    found.skipped += most((reading) => reading.skippedTests?.(line));
  }
  return found;
}

/** True if a test runner found nothing to run, by its output or its exit code. */
export function foundNoTests(cmd: string, output: string, exitCode: number | null): boolean {
  if (testsThatRan(output) === 'none') return true;
  return LANGUAGES.some(
    (language) =>
      exitCode !== null &&
      language.output?.noTestsExit?.code === exitCode &&
      testCommandIn(cmd)?.language === language,
  );
}

/** What an exit code means by itself, or `null`. */
export const meaningOfExit = (exitCode: number): string | null =>
  LANGUAGES.map(({ output }) => output?.noTestsExit).find((exit) => exit?.code === exitCode)
    ?.meaning ?? null;

/** A line of a traceback or a test report that says what is wrong. */
export const isInformativeLine = (line: string): boolean =>
  LANGUAGES.some(({ output }) => output?.informativeLine.test(line) ?? false);

/** The last line that says what is wrong, rather than where; '' if none does. */
export function lastInformativeLine(lines: readonly string[]): string {
  const telling = lines.filter(isInformativeLine);
  return telling.findLast((line) => !isStackLine(line)) ?? telling.at(-1) ?? '';
}

const isStackLine = (line: string): boolean =>
  LANGUAGES.some(({ output }) => output?.stackLine?.test(line) === true);

/** As `isInformativeLine`, or another line of a test report or a compiler that reports a failure. */
export const isFailureLine = (line: string): boolean =>
  LANGUAGES.some(
    ({ output }) => output?.informativeLine.test(line) || output?.failureLine?.test(line) === true,
  );

/** The line counts other lines, so it changes when one of them goes. */
export const isCountLine = (line: string): boolean =>
  LANGUAGES.some(({ output }) => output?.countLine?.test(line) === true);

/** A run of tests in few words. */
export interface TestSummary extends TestCounts {
  /** The first failed test, and what is wrong: `test_add: -1 == 3`. */
  readonly first?: string;
}

const LONGEST_FIRST = 200;

/** What a run of tests reports, by the language of its runner; `null` if none recognises it. */
export function testCountsIn(output: string): TestSummary | null {
  const text = plainOutput(output);
  const summary = summaryOf(text);
  const counts = partsIn(summary).length > 0 ? countsOfAll(text) : lastCounts(summary);
  if (counts === null || counts.failed === 0) return counts;
  const first = firstFailed(text);
  return first === '' ? counts : { ...counts, first };
}

const NO_FAILURE: TestFailure = { file: '', test: '', why: '' };

/** The first test that an output names as failed, and what is wrong: `test_add: -1 == 3`; '': none. */
export function firstFailed(output: string): string {
  const text = plainOutput(output);
  for (const { output: reading } of COUNTING) {
    const [{ file, test, why } = NO_FAILURE] = reading?.failures?.(text) ?? [];
    if (test === '' && why === '') continue;
    const reason = reading?.shortReason?.(why) ?? why;
    return [test || file, reason].filter(Boolean).join(': ').slice(0, LONGEST_FIRST);
  }
  return '';
}

/** The counts of a whole run. Each part counts its own tests, and the omitted middle may hold such a part. */
function countsOfAll(text: string): TestCounts {
  const parts = partsIn(text);
  const sum = parts.reduce(addCounts, NONE);
  return parts.length > 1 && LEFT_OUT.test(text) ? { ...sum, passed: null } : sum;
}

/** The mark in place of the omitted middle of an output. */
const LEFT_OUT = /^…$/m;

function lastCounts(summary: string): TestCounts | null {
  for (const { output: reading } of COUNTING) {
    const counts = reading?.testCounts?.(summary) ?? null;
    if (counts !== null) return counts;
  }
  return null;
}

/** Only a file and a line. */
const PLACE = /^\S+:\d+$/;

/**
 * The first failed test and what is wrong, else the first line that says what is wrong or reports a failure;
 * '': none.
 */
export function firstFailure(output: string): string {
  const lines = output.split(/\r?\n/);
  const telling = lines.filter(isInformativeLine);
  const line =
    telling.find((one) => !PLACE.test(one) && !isStackLine(one)) ??
    lines.find(isFailureLine) ??
    telling[0] ??
    '';
  return firstFailed(output) || onOneLine(line).slice(0, LONGEST_FIRST);
}

const passedParts = (output: string): readonly string[] =>
  LANGUAGES.flatMap(({ output: reading }) => reading?.passedParts?.(output) ?? []);

/**
 * `505 passed`, as the summary shows it, or `example.com/web passed`; '' if the output shows neither.
 * @param counts of the whole output, where only some of it was kept
 */
export function passedText(
  output: string,
  counts: Pick<TestSummary, 'passed'> | null = testCountsIn(output),
): string {
  const passed = counts?.passed ?? null;
  if (passed !== null) return `${passed} passed`;
  const [first, ...others] = counts === null && !LEFT_OUT.test(output) ? passedParts(output) : [];
  if (first === undefined) return '';
  // The number is unknown: the omitted part may hold more.
  return others.length === 0 ? `${first} passed` : `${first} and others passed`;
}
