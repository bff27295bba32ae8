/** Texts in quotation marks, of any script. Pure. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text in marks: `start` and `end` without them. */
export interface Marked extends Span {
  readonly mark: string;
}

/** What closes a mark; of a German or Swedish text more than one may. */
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '＂': '＂',
  '“': '”',
  '„': '“”',
  '‟': '”',
  '”': '”',
  '‘': '’',
  '‚': '‘’',
  '«': '»',
  '»': '«',
  '‹': '›',
  '›': '‹',
  '「': '」',
  '『': '』',
  '｢': '｣',
  '〝': '〞〟',
};

/** The mark of a quotation and of a word that lacks a letter is the same: within a word it is the latter. */
const MAY_BE_APOSTROPHE = /['’]/;
const WORD = /[\p{L}\p{N}]/u;

/** Texts within one line, the outer ones before those in them. */
export function markedTexts(text: string, { start, end }: Span): readonly Marked[] {
  const found: Marked[] = [];
  let at = start;
  while (at < end) {
    const mark = text[at] ?? '';
    const close = isWithinWord(text, at) ? -1 : closingOf(text, at, end);
    if (close < 0) {
      at += 1;
      continue;
    }
    found.push({ mark, start: at + 1, end: close });
    found.push(...markedTexts(text, { start: at + 1, end: close }));
    at = close + 1;
  }
  return found;
}

function closingOf(text: string, open: number, end: number): number {
  const closers = CLOSING[text[open] ?? ''];
  if (closers === undefined) return -1;
  for (let at = open + 1; at < end; at += 1) {
    const one = text[at] ?? '';
    if (one === '\n') return -1;
    if (closers.includes(one) && !isWithinWord(text, at)) return at > open + 1 ? at : -1;
  }
  return -1;
}

const isWithinWord = (text: string, at: number): boolean =>
  MAY_BE_APOSTROPHE.test(text[at] ?? '') &&
  WORD.test(text[at - 1] ?? '') &&
  WORD.test(text[at + 1] ?? '');
