/** Finds what the assertions expect that were red before the run, by the lines that their output names. Pure. */
import { posix } from 'node:path';
import { assertionsIn } from '../languages/files/alterations.ts';
import { belongsToTests, isCodeByName, languageOf } from '../languages/languages.ts';
import { failedTests, isFailureLine } from '../languages/testing/test-output.ts';
import type { Proof } from '../schema/plan.ts';
import type { PlacedAlteration } from './alterable.ts';
import { testsIn } from './inner-tests.ts';
import { partsOfProof } from './program-of-proof.ts';
import { textBefore, type Work, type WorkPort } from './work.ts';

const MOST_NAMED = 3;
/** An assertion may stand some lines below what its test is named by, and above what says that it failed. */
const LINES_BELOW = 5;
const LINES_ABOVE = 3;
/** Of tests of which nothing is named, only so many lines can be tried. */
const MOST_UNNAMED = 6;
/** Each asks for a trial where the one before told nothing. */
const MOST = 12;

/** It asserts nothing: what a file needs, how it ends, and what it says. */
const ASIDE =
  /^\s*(?:from|use|using|package|mod)\b|\bfrom\s*['"]|\b(?:import|require|return|exit)\b|\bprint(?:ln|f)?\b|\bt\.(?:Fatal|Error|Log)f?\(/;
/** Where something begins that has other lines, if it decides nothing. */
const OPENING = /^(?:\s*#\[|(?!\s*(?:if|for|while|with|assert)\b).*[{:]\s*$)/;

interface TestLine {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** @returns for what a proof printed that failed before the run: other things that its assertions may expect */
export const expectedIn =
  (run: WorkPort, work: Work, proof: Proof) =>
  (output: string): readonly PlacedAlteration[] => {
    const files = testFiles(run, work, proof);
    const named = files.flatMap((file) => namedLines(file, output)).slice(0, MOST_NAMED);
    const said = named.length > 0 ? named : files.flatMap((file) => linesOfNames(file, output));
    const inOrder = [...said, ...said.flatMap((one) => near(one, files))];
    const lines = said.length > 0 ? inOrder : files.flatMap(({ lines }) => lines);
    const all = lines
      .filter(({ text }) => !(ASIDE.test(text) || OPENING.test(text)))
      .map(({ path, line, text }) =>
        assertionsIn(text, line, path).map((one) => ({ path, ...one })),
      );
    const found = said.length > 0 ? all.flat() : byKind(all.filter((some) => some.length > 0));
    return unique(found).slice(0, MOST);
  };

interface TestFile {
  readonly path: string;
  /** The whole text as it was when the run opened. */
  readonly before: readonly string[];
  /** Those that are part of tests. */
  readonly lines: readonly TestLine[];
}

/** Tests that were there, and programs that the proof runs. */
function testFiles(run: WorkPort, work: Work, proof: Proof): readonly TestFile[] {
  const { readText } = run.world;
  const { files } = work.disk;
  const made = new Set(work.changed.flatMap((one) => (one.before === null ? [one.path] : [])));
  const { workspace, fs } = run.toolContext;
  const view = { files, readText, workspace, platform: fs.platform };
  // A program whose output the goal states is the work itself.
  const programs = proof.prints === undefined ? partsOfProof(proof, view).programs : [];
  const areTests = (path: string): boolean => belongsToTests(path) || programs.includes(path);
  return files
    .filter((path) => isCodeByName(path) && !made.has(path))
    .filter((path) => areTests(path) || languageOf(path).innerTests !== undefined)
    .flatMap((path) => {
      const text = readText(path) ?? '';
      const inner = areTests(path) ? null : testsIn(path, text);
      if (inner?.size === 0) return [];
      const lines = text
        .split('\n')
        .map((one, index) => ({ path, line: index + 1, text: one }))
        .filter(({ line }) => inner?.has(line - 1) !== false);
      return [{ path, before: (textBefore(path, run, work) ?? '').split('\n'), lines }];
    });
}

/**
 * The lines of a file that an output names, the last one first: a test may be named by where it begins, and an assertion
 * stands below that.
 */
function namedLines({ path, before, lines }: TestFile, output: string): readonly TestLine[] {
  const { name, ext } = posix.parse(path);
  const [stem, ending] = [name, ext].map((one) => one.replace(/[^\w-]/g, '\\$&'));
  // `calc_test.cc:7`, `File "test_calc.py", line 7`, `at t/calc.t line 7`, and `CalcTest.adds:7`
  const place = new RegExp(
    `(?<![\\w.-])${stem}(?:${ending}["']?(?:,? line |[:(])|\\.\\w+:)(\\d{1,6})`,
    'g',
  );
  const all = [...new Set([...output.matchAll(place)].map(([, line]) => Number(line)))];
  return all
    .sort((one, other) => other - one)
    .flatMap((line) => {
      const same = lines.filter(({ text }) => text === before[line - 1]);
      const far = (one: TestLine): number => Math.abs(one.line - line);
      return same.sort((one, other) => far(one) - far(other)).slice(0, 1);
    });
}

/** Where the tests begin that an output names. */
function linesOfNames({ lines }: TestFile, output: string): readonly TestLine[] {
  const failures = output.split('\n').filter(isFailureLine);
  const words = [...failedTests(output), ...failures].flatMap(
    (said) => said.match(/\w{6,}/g) ?? [],
  );
  const names = new Set(words);
  return lines.filter(
    ({ text }) =>
      OPENING.test(text) && (text.match(/\w{6,}/g) ?? []).some((word) => names.has(word)),
  );
}

function near({ path, line }: TestLine, files: readonly TestFile[]): readonly TestLine[] {
  const lines = files.find((file) => file.path === path)?.lines ?? [];
  const within = (from: number, to: number): readonly TestLine[] =>
    lines.filter((one) => one.line >= line + from && one.line <= line + to);
  return [...within(1, LINES_BELOW), ...within(-LINES_ABOVE, -1)];
}

/** The first of each, then the second of each: only if these are all that there are do they tell something. */
const byKind = (all: readonly (readonly PlacedAlteration[])[]): readonly PlacedAlteration[] =>
  all.length > MOST_UNNAMED
    ? []
    : [0, 1, 2].flatMap((kind) => all.flatMap((some) => some[kind] ?? []));

const unique = (all: readonly PlacedAlteration[]): readonly PlacedAlteration[] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
];
