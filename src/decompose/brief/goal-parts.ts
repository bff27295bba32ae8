/**
 * Splits a goal into parts that a model can name by number: its lines, and their sentences by the end marks of
 * any script. Pure. A run splits its goal once and journals the parts.
 */
import { goalLinesOf } from './goal-lines.ts';
import { markedTexts, type QuotedRange } from './quotation-marks.ts';

/**
 * An end mark, the closing marks after it, and a space, which some scripts leave out. A word in small letters
 * continues the sentence; a name like `add(` or `data.csv` begins one.
 */
const SENTENCE_END =
  /(?<!\p{Sentence_Terminal})\p{Sentence_Terminal}+[\p{Pe}\p{Pf}"'`]*(?:\s+(?!\p{Ll}[\p{L}\p{M}]*\p{P}*(?:\s|$))|(?<=[^\p{ASCII}])(?=\S))/gu;
const MAX_PARTS = 60;
/** With one digit per key, the keys sort correctly. */
const MAX_ASKED = 9;

export function goalParts(goal: string): readonly string[] {
  const lines = goalLinesOf(goal).filter(({ isEmpty }) => !isEmpty);
  return lines
    .flatMap((line) => (line.isFence || line.isFenced ? [line] : sentencesOf(goal, line)))
    .map(({ start, end }) => goal.slice(start, end).trim())
    .filter((part) => part !== '')
    .slice(0, MAX_PARTS);
}

/** The question marks of all scripts that have their own, and the closing marks after them. */
const ASKS = /[?\u037E\u055E\u061F\u1367\u2047\uA60F\uA6F7\uFE56\uFF1F][\p{Pe}\p{Pf}"'`]*$/u;

/** The parts that ask a question, if there is more than one: the answer then has as many parts. */
export function askedParts(goal: string): readonly string[] {
  const parts = goalParts(goal).filter((part) => ASKS.test(part));
  return parts.length > 1 ? parts.slice(0, MAX_ASKED) : [];
}

/** The sentences of a line, with the space around them. */
export function sentencesOf(goal: string, line: QuotedRange): readonly QuotedRange[] {
  const marked = markedTexts(goal, line);
  // Both are in order, so each quotation is passed once.
  let first = 0;
  const isQuoted = (at: number): boolean => {
    while ((marked[first]?.end ?? at + 1) <= at) first += 1;
    return (marked[first]?.start ?? at + 1) <= at;
  };
  const cuts = [...goal.slice(line.start, line.end).matchAll(SENTENCE_END)]
    .map((found) => ({ at: line.start + found.index, text: found[0] }))
    // A sentence may end with a quotation that contains its own end mark.
    .filter(({ at, text }) => !isQuoted(at + (/\s$/.test(text) ? 1 : 0)))
    .map(({ at, text }) => at + text.length);
  const starts = [line.start, ...cuts];
  return starts.map((start, at) => ({ start, end: starts[at + 1] ?? line.end }));
}
