/**
 * An answer to "how many" is worked out, so that its figure stands somewhere shows nothing: 2 stands
 * in each list of hours. It is known only where something that was seen says it of what is asked. Pure.
 */

import { listed } from './evidence.ts';

/** Of a count, a sum or an average, in the languages that goals come in most often. */
const HOW_MANY =
  /\b(?:how (?:many|much|often|long)|the (?:total |overall )?(?:number|sum|total|average|mean|count) of|(?:is|was|are|were) the (?:sum|total|average|mean|count)|in total|altogether|wie ?viele?|wie oft|wie lange|insgesamt|combien|cu[aá]nt[oa]s?|quant[oie])\b/i;
const NUMBER = /\d(?:[\d.,]*\d)?/g;
const WORD = /\p{L}{3,}/gu;
/** A file that is named says where to look, and not what for. */
const NAMES_FILE = /\.[a-z][a-z0-9]{0,4}[,;:?!.)]?$/i;
const COMMON = new Set(
  'how many much often long number count sum total the and for are was were has have had did does according what which who with from all there this that each your our its not'.split(
    ' ',
  ),
);

/** What speaks against such an answer, or `null`. @param found what the run read and printed */
export function workedOut(goal: string, answer: string, found: readonly string[]): string | null {
  if (!HOW_MANY.test(goal)) return null;
  const given = new Set(numbersIn(goal));
  const all = [...new Set(numbersIn(answer))];
  if (all.length === 0) return 'the goal asks how many, and the answer gives no figure';
  const own = all.filter((figure) => !given.has(figure));
  const lines = [...new Set(found.flatMap((one) => one.split(/\r?\n/)))].filter(hasNumber);
  const asked = goal.match(new RegExp(HOW_MANY.source, 'gi'))?.length ?? 0;
  if (all.length < asked)
    return `the goal asks how many ${asked} times, and the answer gives ${listed(all)}`;
  const alone = found.flatMap(onlyFigure);
  const said = new Set([...alone, ...linesAbout(goal, lines).flatMap(numbersIn)]);
  const unsaid = (own.length > 0 ? own : all).filter((figure) => !said.has(figure));
  return unsaid.length === 0
    ? null
    : `the goal asks how many, and nothing that was read or printed says ${listed(unsaid)} of it: count again`;
}

/** Those with one figure and a word of the goal that stands on no other line with a figure. */
function linesAbout(goal: string, lines: readonly string[]): readonly string[] {
  const holders = new Map<string, Set<string>>();
  for (const line of lines)
    for (const word of wordsIn(withoutFiles(line)))
      holders.set(word, (holders.get(word) ?? new Set()).add(line));
  return (
    wordsIn(withoutFiles(goal))
      .filter((word) => !COMMON.has(word))
      .flatMap((word) => [...(holders.get(word) ?? [])].filter((_, __, all) => all.length === 1))
      // Of several figures nothing says which one is meant.
      .filter((line) => numbersIn(withoutFiles(line)).length === 1)
  );
}

/** A command that prints one line with one figure has counted: `wc -l`, `grep -c`. */
function onlyFigure(text: string): readonly string[] {
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !/^exit code/.test(line));
  const figures = numbersIn(withoutFiles(lines[0] ?? ''));
  return lines.length === 1 && figures.length === 1 ? figures : [];
}

const withoutFiles = (line: string): string =>
  line
    .split(/\s+/)
    .filter((word) => !NAMES_FILE.test(word))
    .join(' ');

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(WORD) ?? [];

const hasNumber = (line: string): boolean => numbersIn(withoutFiles(line)).length > 0;

/** The commas in large figures make no difference. */
const numbersIn = (text: string): readonly string[] =>
  text.replaceAll(/(?<=\d),(?=\d{3}\b)/g, '').match(NUMBER) ?? [];
