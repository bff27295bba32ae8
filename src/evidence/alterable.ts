/** Finds alterations of a run's code, for languages whose functions the engine cannot empty. Pure. */
import {
  type Alteration,
  alterationIn,
  constantsIn,
  isComment,
  omissionIn,
  otherValueIn,
  partsIn,
} from '../languages/files/alterations.ts';
import { belongsToTests, isCodeByName, languageOf } from '../languages/languages.ts';
import { addedLines } from '../lib/text/added-lines.ts';
import { shortened } from '../lib/text/shortened.ts';
import { testsIn } from './inner-tests.ts';
import { type RunWork, textBefore, type WorkPort } from './work.ts';

export interface PlacedAlteration extends Alteration {
  readonly path: string;
  /** The code may do the same with it. */
  readonly mayDoNothing?: true;
}

/** A line of code with its alterations, in the order in which they are tried until one builds. */
export interface AlterableLine {
  readonly alternatives: readonly [PlacedAlteration, ...PlacedAlteration[]];
  /** True if perhaps no alternative builds. */
  readonly isGuess: boolean;
}

const MAX = 6;

/**
 * Alterations of lines that are new, in the order in which they are tried.
 * @param isWritten true for a file that the model wrote itself
 * @param canBeEmptied of code whose functions can be emptied, but cannot return constants; without guesses
 */
export function alterableIn(
  run: WorkPort,
  work: RunWork,
  isWritten: (path: string) => boolean,
  canBeEmptied = false,
): readonly AlterableLine[] {
  const lines = work.changed
    .filter(({ before, after }) => before !== after && after !== null)
    .map(({ path }) => path)
    .filter((path) => isWritten(path) && isCodeByName(path) && !belongsToTests(path))
    .filter((path) => {
      const { emptied, givingConstants } = languageOf(path);
      return (emptied !== undefined) === canBeEmptied && givingConstants === undefined;
    })
    .flatMap((path) => addedTo(path, run, work));
  const sure = lines.flatMap(({ path, line, number, isNewText }) => {
    const one = isNewText ? alterationIn(line, number) : null;
    return one === null ? [] : lineOf(path, false, [one]);
  });
  if (canBeEmptied) return spread(sure, MAX);
  // Where the new lines hold no figure, text or sign to alter, a constant is given, or the whole statement is
  // left out. Then lines count, too, whose text stood in the file before.
  const guesses = lines.flatMap(({ path, line, number, isLast }) => {
    const constants = constantsIn(line, number, isLast);
    // What comes where a value is expected and none is returned, depends on chance.
    const omission = constants.length > 0 ? null : omissionIn(line, number);
    const parts = partsIn(line, number, isLast).map((one) => ({
      ...one,
      mayDoNothing: true as const,
    }));
    return lineOf(path, true, [...constants, ...parts, ...(omission === null ? [] : [omission])]);
  });
  return [...spread(sure, MAX), ...spread(guesses, MAX)];
}

function lineOf(
  path: string,
  isGuess: boolean,
  alterations: readonly Alteration[],
): readonly AlterableLine[] {
  const [first, ...more] = alterations.map((one) => ({ path, ...one }));
  return first === undefined ? [] : [{ alternatives: [first, ...more], isGuess }];
}

/**
 * Alterations of values in the new lines of an existing file; `null`: only comments are new. Conditions stay
 * as they are: tests of only the old behaviour would notice a new condition, too.
 */
export function alterationsOf(
  path: string,
  run: WorkPort,
  work: RunWork,
): readonly PlacedAlteration[] | null {
  const lines = addedTo(path, run, work).filter(
    ({ line }) => line.trim() !== '' && !isComment(line),
  );
  const altered = lines.flatMap(({ line, number }) => {
    const one = otherValueIn(line, number);
    return one === null ? [] : [{ path, ...one }];
  });
  return lines.length === 0 ? null : spread(altered, MAX);
}

interface AddedLine {
  readonly path: string;
  readonly line: string;
  /** From 1. */
  readonly number: number;
  /** The file had no line with this text before. */
  readonly isNewText: boolean;
  /** True for the last line of a block. */
  readonly isLast: boolean;
}

/** Lines that are new in a file, without those of its tests. */
function addedTo(path: string, run: WorkPort, work: RunWork): readonly AddedLine[] {
  const text = run.world.readText(path) ?? '';
  const inner = testsIn(path, text);
  const before = textBefore(path, run, work)?.split('\n') ?? [];
  const were = new Set(before);
  const lines = text.split('\n');
  const added = new Set(addedLines(before, lines));
  return lines
    .map((line, at) => ({
      ...{ path, line, number: at + 1, isNewText: !were.has(line) },
      isLast: lines[at + 1]?.trimStart().startsWith('}') === true,
    }))
    .filter(({ number, isNewText }) => isNewText || added.has(number - 1))
    .filter(({ number }) => !inner.has(number - 1));
}

/** At most `most` items, spread evenly over the list. */
function spread<Item>(all: readonly Item[], most: number): readonly Item[] {
  const count = Math.min(all.length, most);
  return Array.from({ length: count }, (_, index) =>
    all.slice(Math.floor(((index + 0.5) * all.length) / count)),
  ).flatMap(([first]) => (first === undefined ? [] : [first]));
}

const MAX_SHOWN = 24;

/** The alteration in words for people: `with || for && in src/lib.rs:12`. */
export const alterationText = ({ path, line, from, to }: PlacedAlteration): string =>
  to === ''
    ? `without ${shortened(from, MAX_SHOWN)} in ${path}:${line}`
    : `with ${shortened(to, MAX_SHOWN)} for ${shortened(from, MAX_SHOWN)} in ${path}:${line}`;
