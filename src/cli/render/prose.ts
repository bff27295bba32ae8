/** Pure: a line of an answer as rows of whole words; what is laid out by its writer stays as it is. */
import { cellsOf, cutEnd } from './cells.ts';
import { fill } from './fold.ts';

/** Begins and ends a block of code. */
export const isFence = (line: string): boolean => /^\s*(?:```|~~~)/.test(line);

/** Code, a table, a rule of signs. */
const LAID_OUT = /^(?: {4}|\t|\s*\||\s*[-=_*]{4,}\s*$)/;
/** A list goes on below its words. */
const MARK = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;

/** @param isCode whether the line stands within a fence */
export function proseRows(line: string, width: number, isCode: boolean): readonly string[] {
  if (cellsOf(line) <= width || isCode || isFence(line) || LAID_OUT.test(line)) return [line];
  const indent = line.length - line.trimStart().length;
  const hang = MARK.exec(line)?.[0].length ?? indent;
  return fill(line, width, hang);
}

/** A whole text, as it stands on a screen of that width. */
export function proseText(text: string, width: number): string {
  let isCode = false;
  const rows = text.split('\n').flatMap((line) => {
    const shown = proseRows(line, width, isCode);
    if (isFence(line)) isCode = !isCode;
    return shown;
  });
  return rows.join('\n');
}

/** A line as the rows that it takes on a screen; nothing is left out. */
export function folded(line: string, width: number): readonly string[] {
  if (line === '') return [];
  const rows: string[] = [];
  let rest = line;
  while (cellsOf(rest) > width) {
    const row = cutEnd(rest, width, '');
    rows.push(row);
    rest = rest.slice(row.length || 1);
  }
  return [...rows, rest];
}
