/** Pure: a model's prose as rows of whole words; text that its writer has laid out stays as it is. */
import { cellsOf, cutEnd } from './cells.ts';
import { unstyled, type Word, wrapWords } from './words.ts';

/** Begins and ends a block of code. */
export const isFence = (line: string): boolean => /^\s*(?:```|~~~)/.test(line);

/** Code, a table, a line of signs. */
export const LAID_OUT = /^(?: {4}|\t|\s*\||\s*[-=_*]{4,}\s*$)/;
/** The further rows of a list item are indented to its text. */
export const MARK = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;
/** Text between backquotes is one word: it may be meant for copying. */
const WORD_OR_BLANKS = /(?:`[^`]*`|\S)+|\s+/g;

export function proseRows(line: string, width: number): readonly string[] {
  if (cellsOf(line) <= width || LAID_OUT.test(line)) return [line];
  const indent = line.length - line.trimStart().length;
  const hang = ' '.repeat(MARK.exec(line)?.[0].length ?? indent);
  const words: Word[] = [];
  let blanks = '';
  for (const [word] of line.matchAll(WORD_OR_BLANKS)) {
    if (word.trim() === '') blanks = word;
    else {
      words.push({ blanks, spans: [unstyled(word)] });
      blanks = '';
    }
  }
  const rows = wrapWords(words, width, [unstyled(hang)]);
  return rows.map((row) => row.map(({ text }) => text).join(''));
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
