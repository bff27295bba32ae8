/** Finds quoted texts in any script. Pure. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A quoted text; `start` and `end` exclude the marks. */
export interface Marked extends Span {
  readonly mark: string;
}

/** The closing mark for each opening mark; German and Swedish texts may use more than one. */
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

/** These marks also serve as apostrophes; within a word they are apostrophes. */
const MAY_BE_APOSTROPHE = /['’]/;
const WORD = /[\p{L}\p{N}]/u;

/** Quotations within one line, outer ones before inner ones. */
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
