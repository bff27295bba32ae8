/** Finds failed tests by the lines that the output names, and alterations of what they expect. Pure. */
import { posix } from 'node:path';
import { assertionsIn, comparedIn } from '../languages/files/assertions.ts';
import { belongsToTests, isCodeByName, languageOf } from '../languages/languages.ts';
import { runsTests } from '../languages/testing/test-runs.ts';
import { withPlainExamples } from '../languages/text/inner-tests.ts';
import type { Proof } from '../schema/plan.ts';
import { alterationText, type PlacedAlteration } from './alterable.ts';
import type { Compared, Expected, TestOrigin } from './compared.ts';
import { testsIn } from './inner-tests.ts';
import { partsOfProof } from './program-of-proof.ts';
import { commandView, madeIn, type RunWork, textBefore, type WorkPort } from './work.ts';

/** If the output names no line of the tests, at most so many of their lines can be tried. */
const MAX_UNNAMED = 6;
/** Each alteration needs a trial of its own, for as long as none is noticed. */
const MAX = 12;
/** One trial holds all of these. */
const MAX_COMPARED = 8;

/** A line that asserts nothing: an import, a closing bracket, or only a message. */
const ASIDE =
  /^\s*(?:from|use|using|package|mod)\b|\bfrom\s*['"]|\b(?:import|require|return|exit)\b|\bprint(?:ln|f)?\b|\bt\.(?:Fatal|Error|Log)f?\(/;
/** The first line of a block, unless the block is a condition, a loop or an assertion. */
const OPENING = /^(?:\s*#\[|(?!\s*(?:if|for|while|with|assert)\b).*[{:]\s*$)/;
const GOES_ON = /[([{,:]\s*$/;
/** A line at whose end a statement ends. */
const ENDING = /^(?!.*(?:#|\/\/)).*[\w)\]'"`;]\s*$/;

interface TestLine {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

interface NamedLine extends TestLine {
  /** How many lines above it stood before the run. */
  readonly moved: number;
}

/**
 * @returns a function from a failed proof's output to the failed tests and alterations of what they expect
 */
export const expectedIn =
  (run: WorkPort, work: RunWork, proof: Proof) =>
  (output: string, origin: TestOrigin = 'existing'): Expected => {
    const files = testFiles(run, work, { proof, origin });
    const named = files.flatMap((file) => namedLines(file, output));
    const failed = named.flatMap((one) => comparedNear(one, files, origin));
    const isOf =
      ({ path }: TestFile) =>
      (one: { readonly path: string }) =>
        one.path === path;
    // The output may name a file only because it could not be loaded.
    const others = files.filter(
      (file) => named.length === 0 || (named.some(isOf(file)) && !failed.some(isOf(file))),
    );
    const compared = [...failed, ...others.flatMap(eachCompared)];
    const ofAlternatives = ({ alternatives }: Compared): string =>
      alternatives.map(alterationText).join();
    return {
      compared: unique(compared, ofAlternatives).slice(0, MAX_COMPARED),
      others: origin === 'own_code_missing' ? [] : assertionsOf(files, named, origin),
      last: origin === 'existing' ? lastCheck(files, proof) : null,
    };
  };

const placed = (
  of: typeof comparedIn,
  { path, line, text }: TestLine,
): readonly PlacedAlteration[] =>
  ASIDE.test(text) || OPENING.test(text)
    ? []
    : of(text, line, path).map((one) => ({ path, ...one }));

interface TestFile {
  readonly path: string;
  /** The whole text as it was when the proof failed. */
  readonly before: readonly string[];
  /** The lines that are part of tests. */
  readonly lines: readonly TestLine[];
}

/** Existing tests, and programs that the proof runs; or else the lines that the run wrote in tests. */
function testFiles(
  run: WorkPort,
  work: RunWork,
  { proof, origin }: { readonly proof: Proof; readonly origin: TestOrigin },
): readonly TestFile[] {
  const { readText } = run.world;
  const { files } = work.disk;
  const isOwn = origin !== 'existing';
  const made = isOwn ? work.changed.map(({ path }) => path) : madeIn(work);
  // A program whose output the goal states is the work itself.
  const programs =
    isOwn || proof.prints !== undefined ? [] : partsOfProof(proof, commandView(run, work)).programs;
  const areTests = (path: string): boolean => belongsToTests(path) || programs.includes(path);
  return files
    .filter((path) => isCodeByName(path) && made.includes(path) === isOwn)
    .filter((path) => areTests(path) || languageOf(path).innerTests !== undefined)
    .flatMap((path) => {
      const text = readText(path) ?? '';
      const inner = areTests(path) ? null : testsIn(path, text);
      if (inner?.size === 0) return [];
      const before = textBefore(path, run, work)?.split('\n') ?? [];
      const were = new Set(isOwn ? before : []);
      const lines = withPlainExamples(text)
        .split('\n')
        .map((one, index) => ({ path, line: index + 1, text: one }))
        .filter(({ line, text }) => inner?.has(line - 1) !== false && !were.has(text));
      return [{ path, before: isOwn ? text.split('\n') : before, lines }];
    });
}

/**
 * A named line. If its statement goes on, the lines of the same test below it follow. If it only reports a
 * failure, the lines of the test above it stand in its place.
 */
function linesNear(named: TestLine, files: readonly TestFile[]): readonly TestLine[] {
  const lines = files.find(({ path }) => path === named.path)?.lines ?? [];
  const at = lines.findIndex(({ line }) => line === named.line);
  if (GOES_ON.test(named.text)) return [named, ...sameTest(lines.slice(at + 1))];
  return ASIDE.test(named.text) ? sameTest(lines.slice(0, at).toReversed()) : [named];
}

/** The lines up to where another test may begin or the test ends. */
function sameTest(lines: readonly TestLine[]): readonly TestLine[] {
  const end = lines.findIndex(({ text }) => OPENING.test(text) || /^\S/.test(text));
  return end < 0 ? lines : lines.slice(0, end);
}

function comparedNear(
  named: NamedLine,
  files: readonly TestFile[],
  origin: TestOrigin,
): readonly Compared[] {
  for (const one of linesNear(named, files)) {
    const ways = placed(comparedIn, one);
    if (ways.length === 0) continue;
    // The first line of a test is named whatever fails in the test, so it tells nothing.
    const lines = [one.line, ...(OPENING.test(named.text) ? [] : [named.line])];
    // One way is enough for given tests: the old code tells a bound from a test that compares nothing.
    const tried = origin === 'existing' ? ways.slice(0, 1) : ways;
    return [{ path: one.path, lines, moved: named.moved, alternatives: tried, wasLoaded: true }];
  }
  return [];
}

/** The first comparison of each test. */
function eachCompared({ lines }: TestFile): readonly Compared[] {
  let isOpen = true;
  return lines.flatMap((one) => {
    if (OPENING.test(one.text)) isOpen = true;
    const ways = isOpen ? placed(comparedIn, one) : [];
    if (ways.length === 0) return [];
    isOpen = false;
    return [{ path: one.path, lines: [one.line], moved: 0, alternatives: ways, wasLoaded: false }];
  });
}

/**
 * The first alteration of every line, then the second ones. Too many lines give none: the alterations tell
 * something only if all are tried.
 */
function assertionsOf(
  files: readonly TestFile[],
  named: readonly TestLine[],
  origin: TestOrigin,
): readonly PlacedAlteration[] {
  const lines =
    named.length > 0
      ? named.flatMap((one) => linesNear(one, files))
      : files.flatMap((file) => file.lines);
  const all = lines.map((one) => placed(assertionsIn, one)).filter((some) => some.length > 0);
  const areTooMany = named.length === 0 && origin === 'existing' && all.length > MAX_UNNAMED;
  if (areTooMany) return [];
  const inOrder = [0, 1, 2].flatMap((way) => all.flatMap((some) => some[way] ?? []));
  return unique(inOrder, alterationText).slice(0, MAX);
}

const unique = <One>(all: readonly One[], keyOf: (one: One) => string): readonly One[] => [
  ...new Map(all.map((one) => [keyOf(one), one])).values(),
];

/** Makes the proof's own program fail after its last check; `null`: no way is known. */
function lastCheck(files: readonly TestFile[], proof: Proof): PlacedAlteration | null {
  if (runsTests(proof.cmd)) return null;
  const programs = files.filter(({ path }) => !belongsToTests(path));
  const [last] = programs
    .flatMap(({ lines }) => lines.filter((one) => placed(comparedIn, one).length > 0))
    .slice(-1);
  const fails = last && languageOf(last.path).failing?.trimEnd().split('\n').at(-1);
  if (last === undefined || fails === undefined || !ENDING.test(last.text)) return null;
  const { path, line, text } = last;
  return { path, line, at: text.trimEnd().length, from: '', to: `; ${fails}` };
}

/** The lines of a file that an output names, as they stand there now. */
function namedLines({ path, before, lines }: TestFile, output: string): readonly NamedLine[] {
  return linesNamed(path, output).flatMap((line) => {
    const far = (one: TestLine): number => Math.abs(one.line - line);
    return lines
      .filter(({ text }) => text === before[line - 1])
      .sort((one, other) => far(one) - far(other))
      .slice(0, 1)
      .map((one) => ({ ...one, moved: one.line - line }));
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
