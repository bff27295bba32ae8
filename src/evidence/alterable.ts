/** Finds what can be altered in the work of a run whose language nobody here can empty. Pure. */
import {
  type Alteration,
  alterationIn,
  expectationsIn,
  omissionIn,
} from '../languages/files/alterations.ts';
import { belongsToTests, isCodeByName, languageOf } from '../languages/languages.ts';
import { withPlainExamples } from '../languages/text/inner-tests.ts';
import { shortened } from '../lib/text/shortened.ts';
import { testsIn } from './inner-tests.ts';
import { textBefore, type Work, type WorkPort } from './work.ts';

export interface PlacedAlteration extends Alteration {
  readonly path: string;
}

/** Alterations of lines that are new, in the order in which they are tried. */
export interface Alterable {
  readonly code: readonly PlacedAlteration[];
  readonly tests: readonly PlacedAlteration[];
}

export const NOT_ALTERABLE: Alterable = { code: [], tests: [] };

const MOST_CODE = 6;
const MOST_EXPECTED = 4;
const MOST_GIVEN = 2;

/** @param isWritten true for a file that the model wrote itself */
export function alterableIn(
  run: WorkPort,
  work: Work,
  isWritten: (path: string) => boolean,
): Alterable {
  const code: PlacedAlteration[] = [];
  const omissions: PlacedAlteration[] = [];
  const expected: PlacedAlteration[] = [];
  const given: PlacedAlteration[] = [];
  const changed = work.changed.filter(({ before, after }) => before !== after && after !== null);
  for (const { path } of changed) {
    const areTests = belongsToTests(path);
    const isUnknown = languageOf(path).emptied === undefined;
    if (!isWritten(path) || !isCodeByName(path) || !(areTests || isUnknown)) continue;
    const text = run.world.readText(path) ?? '';
    const inner = testsIn(path, text);
    const examples = withPlainExamples(text).split('\n');
    const were = new Set(textBefore(path, run, work)?.split('\n'));
    for (const [index, line] of text.split('\n').entries()) {
      if (were.has(line)) continue;
      if (!areTests && !inner.has(index)) {
        const [alteration, omission] = [alterationIn, omissionIn].map((of) => of(line, index + 1));
        if (alteration) code.push({ path, ...alteration });
        if (omission) omissions.push({ path, ...omission });
        continue;
      }
      const [last, first] = expectationsIn(examples[index] ?? '', index + 1);
      if (last !== undefined) expected.push({ path, ...last });
      if (first !== undefined) given.push({ path, ...first });
    }
  }
  const tests = [...spread(expected, MOST_EXPECTED), ...spread(given, MOST_GIVEN)];
  // Code without figures, texts and signs may be of statements.
  return { code: spread(code.length > 0 ? code : omissions, MOST_CODE), tests };
}

/** Some of a list, as far from each other as they can be; each one once. */
function spread<Item>(all: readonly Item[], most: number): readonly Item[] {
  const count = Math.min(all.length, most);
  return Array.from({ length: count }, (_, index) =>
    all.slice(Math.floor(((index + 0.5) * all.length) / count)),
  ).flatMap(([first]) => (first === undefined ? [] : [first]));
}

const MOST_SHOWN = 24;

/** As people are told of it: `with || for && in src/lib.rs:12`. */
export const alterationText = ({ path, line, from, to }: PlacedAlteration): string =>
  to === ''
    ? `without ${shortened(from, MOST_SHOWN)} in ${path}:${line}`
    : `with ${shortened(to, MOST_SHOWN)} for ${shortened(from, MOST_SHOWN)} in ${path}:${line}`;
