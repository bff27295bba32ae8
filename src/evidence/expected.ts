/** Finds what the assertions expect that were red before the run, by the lines that their output names. Pure. */
import { posix } from 'node:path';
import { assertionsIn, comparedIn, shiftedIn } from '../languages/files/alterations.ts';
import { belongsToTests, isCodeByName, languageOf } from '../languages/languages.ts';
import { failedTests, isFailureLine } from '../languages/testing/test-output.ts';
import { runsTests } from '../languages/testing/test-runs.ts';
import type { Proof } from '../schema/plan.ts';
import { alterationText, type PlacedAlteration } from './alterable.ts';
import type { Compared, Expected } from './evidence.ts';
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
/** All of them are tried at once. */
const MOST_COMPARED = 8;

/** What a file needs. */
const NEED = /^\s*(?:from|use|using|package|mod)\b|\bfrom\s*['"]|\b(?:import|require)\b/;
/** It asserts nothing: how something ends, and what it says. */
const ASIDE = /\b(?:return|exit)\b|\bprint(?:ln|f)?\b|\bt\.(?:Fatal|Error|Log)f?\(/;
/** Where something begins that has other lines, if it decides nothing. */
const OPENING = /^(?:\s*#\[|(?!\s*(?:if|for|while|with|assert)\b).*[{:]\s*$)/;

/** A statement ends with the line. */
const ENDING = /^(?!.*(?:#|\/\/)).*[\w)\]'"`;]\s*$/;

interface TestLine {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Which tests are asked: those that were there and failed before, or those of the run that fail without its code. */
export type Asked = 'given' | 'own';

/** @returns for what a proof printed that failed: other things that its assertions may expect */
export const expectedIn =
  (run: WorkPort, work: Work, proof: Proof) =>
  (output: string, asked: Asked = 'given'): Expected => {
    const files = testFiles(run, work, { proof, asked });
    const named = files.flatMap((file) => namedLines(file, output));
    const some = named.slice(0, MOST_NAMED);
    const said = some.length > 0 ? some : files.flatMap((file) => linesOfNames(file, output));
    const inOrder = [...said, ...said.flatMap((one) => aroundIt(one, files).flat())];
    const lines = said.length > 0 ? inOrder : files.flatMap(({ lines }) => lines);
    const all = lines
      .filter(isAssertion)
      .map(({ path, line, text }) =>
        assertionsIn(text, line, path).map((one) => ({ path, ...one })),
      );
    const found = said.length > 0 ? all.flat() : byKind(all.filter((some) => some.length > 0));
    const isLoaded = ({ text }: TestLine): boolean => !NEED.test(text);
    const near = named.filter(isLoaded).flatMap((one) => nearestCompared(one, files));
    const unloaded = files.filter(({ path }) =>
      named.length === 0
        ? true
        : named.some((one) => one.path === path && (near.length === 0 || !isLoaded(one))),
    );
    const compared = unique([...near, ...unloaded.flatMap(eachCompared)]);
    return {
      compared: compared.slice(0, MOST_COMPARED),
      others: asked === 'own' ? [] : unique(found).slice(0, MOST),
      last: asked === 'own' ? null : lastCheck(files, proof),
    };
  };

const isAssertion = ({ text }: TestLine): boolean =>
  !(NEED.test(text) || ASIDE.test(text) || OPENING.test(text));

interface TestFile {
  readonly path: string;
  /** The whole text as it was when the proof failed. */
  readonly before: readonly string[];
  /** Those that are part of tests. */
  readonly lines: readonly TestLine[];
}

const viewOf = (run: WorkPort, work: Work) => ({
  ...{ files: work.disk.files, readText: run.world.readText },
  workspace: run.toolContext.workspace,
  platform: run.toolContext.fs.platform,
});

/** Tests that were there, and programs that the proof runs; or the tests that the run made or changed. */
function testFiles(
  run: WorkPort,
  work: Work,
  { proof, asked }: { readonly proof: Proof; readonly asked: Asked },
): readonly TestFile[] {
  const { readText } = run.world;
  const { files } = work.disk;
  const isOwn = asked === 'own';
  const made = work.changed.filter((one) => isOwn || one.before === null).map(({ path }) => path);
  // A program whose output the goal states is the work itself.
  const programs =
    isOwn || proof.prints !== undefined ? [] : partsOfProof(proof, viewOf(run, work)).programs;
  const areTests = (path: string): boolean => belongsToTests(path) || programs.includes(path);
  return files
    .filter((path) => isCodeByName(path) && made.includes(path) === isOwn)
    .filter((path) => areTests(path) || languageOf(path).innerTests !== undefined)
    .flatMap((path) => {
      const text = readText(path) ?? '';
      const inner = areTests(path) ? null : testsIn(path, text);
      if (inner?.size === 0) return [];
      const lines = text
        .split('\n')
        .map((one, index) => ({ path, line: index + 1, text: one }))
        .filter(({ line }) => inner?.has(line - 1) !== false);
      const before = isOwn ? text : (textBefore(path, run, work) ?? '');
      return [{ path, before: before.split('\n'), lines }];
    });
}

const changed = (
  change: typeof comparedIn,
  { path, line, text }: TestLine,
): readonly PlacedAlteration[] => {
  const one = isAssertion({ path, line, text }) ? change(text, line, path) : null;
  return one === null ? [] : [{ path, ...one }];
};

const comparedAt = (line: TestLine): readonly PlacedAlteration[] => changed(comparedIn, line);

/** What the named line compares, else a line of the same test: above what says that it failed, below a beginning. */
function nearestCompared(named: TestLine, files: readonly TestFile[]): readonly Compared[] {
  const [below, above] = aroundIt(named, files);
  const begins = OPENING.test(named.text);
  const isInside = /^\s/.test(named.text);
  const itself = begins ? [] : [named];
  const [first] = [
    ...itself.flatMap((one) => [...comparedAt(one), ...changed(shiftedIn, one)]),
    ...[
      ...(isInside && !begins ? sameTest(above.toReversed()) : []),
      ...(isInside || begins ? sameTest(below) : []),
    ].flatMap(comparedAt),
  ];
  const shown = Math.max(named.line, first?.line ?? 0);
  return first === undefined ? [] : [{ ...first, shown, wasLoaded: true }];
}

/** Another test may begin, or the file go on. */
function sameTest(lines: readonly TestLine[]): readonly TestLine[] {
  const end = lines.findIndex(({ text }) => OPENING.test(text) || /^\S/.test(text));
  return end < 0 ? lines : lines.slice(0, end);
}

/** The first of each test. */
function eachCompared({ lines }: TestFile): readonly Compared[] {
  let isOpen = true;
  return lines.flatMap((one) => {
    if (OPENING.test(one.text)) isOpen = true;
    const found = isOpen ? comparedAt(one) : [];
    if (found.length > 0) isOpen = false;
    return found.map((change) => ({ ...change, shown: change.line, wasLoaded: false }));
  });
}

/** Behind the last check of a program that the proof runs it fails; `null`: nobody knows how. */
function lastCheck(files: readonly TestFile[], proof: Proof): PlacedAlteration | null {
  if (runsTests(proof.cmd)) return null;
  const programs = files.filter(({ path }) => !belongsToTests(path));
  const [last] = programs
    .flatMap(({ lines }) => lines.filter((one) => comparedAt(one).length > 0))
    .slice(-1);
  const fails = last && languageOf(last.path).failing?.trimEnd().split('\n').at(-1);
  if (last === undefined || fails === undefined || !ENDING.test(last.text)) return null;
  const { path, line, text } = last;
  return { path, line, at: text.trimEnd().length, from: '', to: `; ${fails}` };
}

/**
 * The lines of a file that an output names, the last one first: a test may be named by where it begins, and an assertion
 * stands below that.
 */
function namedLines({ path, before, lines }: TestFile, output: string): readonly TestLine[] {
  return linesNamed(path, output)
    .toSorted((one, other) => other - one)
    .flatMap((line) => {
      const same = lines.filter(({ text }) => text === before[line - 1]);
      const far = (one: TestLine): number => Math.abs(one.line - line);
      return same.sort((one, other) => far(one) - far(other)).slice(0, 1);
    });
}

/** The numbers of the lines of a file that an output names. */
export function linesNamed(path: string, output: string): readonly number[] {
  const { name, ext } = posix.parse(path);
  const [stem, ending] = [name, ext].map((one) => one.replace(/[^\w-]/g, '\\$&'));
  // `calc_test.cc:7`, `File "test_calc.py", line 7`, `at t/calc.t line 7`, and `CalcTest.adds:7`
  const place = new RegExp(
    `(?<![\\w.-])${stem}(?:${ending}["']?(?:,? line |[:(])|\\.\\w+:)(\\d{1,6})`,
    'g',
  );
  return [...new Set([...output.matchAll(place)].map(([, line]) => Number(line)))];
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

/** The lines below it, and those above. */
function aroundIt(
  { path, line }: TestLine,
  files: readonly TestFile[],
): readonly [below: readonly TestLine[], above: readonly TestLine[]] {
  const lines = files.find((file) => file.path === path)?.lines ?? [];
  const within = (from: number, to: number): readonly TestLine[] =>
    lines.filter((one) => one.line >= line + from && one.line <= line + to);
  return [within(1, LINES_BELOW), within(-LINES_ABOVE, -1)];
}

/** The first of each, then the second of each: only if these are all that there are do they tell something. */
const byKind = (all: readonly (readonly PlacedAlteration[])[]): readonly PlacedAlteration[] =>
  all.length > MOST_UNNAMED
    ? []
    : [0, 1, 2].flatMap((kind) => all.flatMap((some) => some[kind] ?? []));

const unique = <One extends PlacedAlteration>(all: readonly One[]): readonly One[] => [
  ...new Map(all.map((one) => [alterationText(one), one])).values(),
];
