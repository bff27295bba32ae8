/** Splits a goal into lines and blocks of lines. Pure. */
import type { QuotedRange } from './quotation-marks.ts';

export interface GoalLine extends QuotedRange {
  /** The line is empty. */
  readonly isEmpty: boolean;
  /** The line opens or closes a code block. */
  readonly isFence: boolean;
  /** The line is between two fences. */
  readonly isFenced: boolean;
}

const FENCE = /^\s*(?:```|~~~)/;

export function goalLinesOf(goal: string): readonly GoalLine[] {
  const lines: GoalLine[] = [];
  let start = 0;
  let isOpen = false;
  for (const text of goal.split('\n')) {
    const isFence = FENCE.test(text);
    const isEmpty = text.trim() === '';
    lines.push({ start, end: start + text.length, isFence, isEmpty, isFenced: isOpen && !isFence });
    if (isFence) isOpen = !isOpen;
    start += text.length + 1;
  }
  return lines;
}

/** An empty line between fences belongs to the block. */
const isBorder = (line: GoalLine | undefined): boolean =>
  line === undefined || line.isFence || (line.isEmpty && !line.isFenced);

/** True if the lines from `first` to `last` are one or several complete blocks. */
export const isWholeBlock = (lines: readonly GoalLine[], first: number, last: number): boolean =>
  isBorder(lines[first - 1]) && isBorder(lines[last + 1]);

/** The block after a line: between the next fences, or up to the next empty line; `null`: none. */
export function blockBehind(lines: readonly GoalLine[], index: number): QuotedRange | null {
  let first = index + 1;
  while (lines[first]?.isEmpty && !lines[first]?.isFenced) first += 1;
  if (lines[first]?.isFence && !lines[index]?.isFenced) first += 1;
  let last = first;
  while (!isBorder(lines[last])) last += 1;
  const [begin, end] = [lines[first], lines[last - 1]];
  return begin && end && last > first ? { start: begin.start, end: end.end } : null;
}

export const goalLineAt = (lines: readonly GoalLine[], position: number): number =>
  lines.findIndex(({ start, end }) => start <= position && position <= end);
