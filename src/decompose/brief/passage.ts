/** Finds a quote in a goal and checks that it is a complete passage. Pure. */
import { skipSpace } from '../../lib/text/literal.ts';
import { type GoalLine, goalLineAt, goalLinesOf, isWholeBlock } from './goal-lines.ts';
import { sentencesOf } from './goal-parts.ts';
import { markedTexts, type QuotedRange } from './quotation-marks.ts';

/**
 * The passage that a quote names, ignoring white space; `null` if the goal does not contain it or contains it
 * only as a fragment. It must begin and end with the goal, with a line or between quotation marks, and must
 * include blocks of lines as a whole.
 */
export function quotedPassage(goal: string, quote: string): QuotedRange | null {
  const lines = goalLinesOf(goal);
  const found = occurrencesOf(goal, quote).slice(0, MAX_LOOKED_AT);
  return found.find((span) => isBounded(goal, lines, span)) ?? null;
}

/** One or several whole sentences that a quote names, in one line of a goal; `null`: the quote names none. */
export function quotedSentences(goal: string, quote: string): QuotedRange | null {
  const lines = goalLinesOf(goal).filter(({ isFence, isFenced }) => !isFence && !isFenced);
  const isWhole = ({ start, end }: QuotedRange): boolean => {
    const line = lines[goalLineAt(lines, start)];
    const sentences = line === undefined ? [] : sentencesOf(goal, line);
    const isEmptyFrom = (from: number, to: number): boolean =>
      from <= to && goal.slice(from, to).trim() === '';
    return (
      sentences.some((one) => isEmptyFrom(one.start, start)) &&
      sentences.some((one) => isEmptyFrom(end, one.end))
    );
  };
  return occurrencesOf(goal, quote).slice(0, MAX_LOOKED_AT).find(isWhole) ?? null;
}

/** The part with this number, counted from 1. */
export function numberedPassage(
  goal: string,
  parts: readonly string[],
  number: number,
): QuotedRange | null {
  let end = 0;
  for (const [index, part] of parts.entries()) {
    const start = goal.indexOf(part, end);
    if (start < 0) return null;
    end = start + part.length;
    if (index === number - 1) return { start, end };
  }
  return null;
}

/** Every occurrence of a text in another, ignoring white space. */
export function occurrencesOf(
  text: string,
  wanted: string,
  within: QuotedRange = { start: 0, end: text.length },
): readonly QuotedRange[] {
  const words = wanted.trim().split(/\s+/u);
  const [first = ''] = words;
  const found: QuotedRange[] = [];
  if (first === '') return found;
  for (let at = text.indexOf(first, within.start); at >= 0; at = text.indexOf(first, at + 1)) {
    const end = endOfWords(text, at, words);
    if (end !== null && end <= within.end) found.push({ start: at, end });
  }
  return found;
}

function endOfWords(text: string, start: number, words: readonly string[]): number | null {
  let at = start;
  for (const [index, word] of words.entries()) {
    const next = index === 0 ? at : skipSpace(text, at);
    if ((index > 0 && next === at) || !text.startsWith(word, next)) return null;
    at = next + word.length;
  }
  return at;
}

/** The most places to look at, since each is examined with its whole surroundings. */
export const MAX_LOOKED_AT = 50;

function isBounded(goal: string, lines: readonly GoalLine[], span: QuotedRange): boolean {
  const [first, last] = [goalLineAt(lines, span.start), goalLineAt(lines, span.end)];
  const [begin, end] = [lines[first], lines[last]];
  if (!begin || !end) return false;
  const isEmptyFrom = (from: number, to: number): boolean => goal.slice(from, to).trim() === '';
  if (isEmptyFrom(begin.start, span.start) && isEmptyFrom(span.end, end.end))
    return first === last || isWholeBlock(lines, first, last);
  return (
    first === last &&
    markedTexts(goal, begin).some(
      (marked) =>
        (isEmptyFrom(marked.start, span.start) && isEmptyFrom(span.end, marked.end)) ||
        (marked.start - 1 === span.start && marked.end + 1 === span.end),
    )
  );
}
