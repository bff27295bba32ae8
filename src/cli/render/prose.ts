/** Pure: what a model writes as rows of whole words; what is laid out by its writer stays as it is. */
import { cellsOf, cutEnd } from './cells.ts';
import { plain, type Word, wrapWords } from './words.ts';

/** Begins and ends a block of code. */
export const isFence = (line: string): boolean => /^\s*(?:```|~~~)/.test(line);

/** Code, a table, a rule of signs. */
export const LAID_OUT = /^(?: {4}|\t|\s*\||\s*[-=_*]{4,}\s*$)/;
/** A list goes on below its words. */
export const MARK = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;
/** What stands between back quotes is one word: it may be there to be copied. */
const WORD_OR_BLANKS = /(?:`[^`]*`|\S)+|\s+/g;

/**
 * Of a line that grows by whole words the rows grow, too, and only at their end.
 * @param isCode whether the line stands within a fence
 */
export function proseRows(line: string, width: number, isCode: boolean): readonly string[] {
  if (cellsOf(line) <= width || isCode || isFence(line) || LAID_OUT.test(line)) return [line];
  const indent = line.length - line.trimStart().length;
  const hang = ' '.repeat(MARK.exec(line)?.[0].length ?? indent);
  const words: Word[] = [];
  let blanks = '';
  for (const [word] of line.matchAll(WORD_OR_BLANKS)) {
    if (word.trim() === '') blanks = word;
    else {
      words.push({ blanks, spans: [plain(word)] });
      blanks = '';
    }
  }
  const rows = wrapWords(words, width, [plain(hang)]);
  return rows.map((row) => row.map(({ text }) => text).join(''));
}

export interface ProseStream {
  /** What is to be written now; a word waits until its end is known. */
  put(text: string): string;
  /** What is left of a line that has no end. */
  end(): string;
}

/** Behind the last word that no further piece can lengthen: an open quote may. */
function endOfWords(line: string): number {
  const isOpen = line.split('`').length % 2 === 0;
  const limit = isOpen ? line.lastIndexOf('`') : line.length - 1;
  let end = 0;
  for (const { 0: word, index } of line.matchAll(WORD_OR_BLANKS)) {
    const stop = index + word.length;
    if (stop > limit) break;
    if (word.trim() !== '') end = stop;
  }
  return end;
}

/** A text that comes in pieces. @param width in cells, asked anew for each line */
export function proseStream(width: () => number): ProseStream {
  let isCode = false;
  let line = '';
  let sent = '';
  let columns = width();
  const upTo = (end: number): string => {
    const rows = proseRows(line.slice(0, end), columns, isCode).join('\n');
    const more = rows.slice(sent.length);
    sent = rows;
    return more;
  };
  const rest = (): string => {
    const more = upTo(line.length);
    if (isFence(line)) isCode = !isCode;
    [line, sent, columns] = ['', '', width()];
    return more;
  };
  return {
    put: (text) => {
      const [first = '', ...others] = text.split('\n');
      line += first;
      let out = '';
      for (const next of others) {
        out += `${rest()}\n`;
        line = next;
      }
      const end = endOfWords(line);
      return end > 0 ? out + upTo(end) : out;
    },
    end: rest,
  };
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
