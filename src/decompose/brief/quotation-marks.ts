/** Finds quoted texts in any script. Pure. */

export interface QuotedRange {
  readonly start: number;
  readonly end: number;
}

/** A quoted text; `start` and `end` exclude the marks. */
export interface Marked extends QuotedRange {
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
export function markedTexts(text: string, { start, end }: QuotedRange): readonly Marked[] {
  const found: Marked[] = [];
  /** For each opening mark: the end of the text in which nothing closes it. */
  const unclosed = new Map<string, number>();
  let at = start;
  while (at < end) {
    const mark = text[at] ?? '';
    const isOpen = at >= (unclosed.get(mark) ?? 0) && !isWithinWord(text, at);
    const close = isOpen ? closingOf(text, at, end) : NO_MARK;
    if (close.at === null) {
      if (close.until > at) unclosed.set(mark, close.until);
      at += 1;
      continue;
    }
    found.push({ mark, start: at + 1, end: close.at });
    for (const one of markedTexts(text, { start: at + 1, end: close.at })) found.push(one);
    at = close.at + 1;
  }
  return found;
}

/** `until`: the end of the text in which nothing closes the mark. */
interface Closing {
  readonly at: number | null;
  readonly until: number;
}

const NO_MARK: Closing = { at: null, until: 0 };

function closingOf(text: string, open: number, end: number): Closing {
  const closers = CLOSING[text[open] ?? ''];
  if (closers === undefined) return NO_MARK;
  for (let at = open + 1; at < end; at += 1) {
    const one = text[at] ?? '';
    if (one === '\n') return { at: null, until: at };
    if (closers.includes(one) && !isWithinWord(text, at))
      return at > open + 1 ? { at, until: at } : NO_MARK;
  }
  return { at: null, until: end };
}

const isWithinWord = (text: string, at: number): boolean =>
  MAY_BE_APOSTROPHE.test(text[at] ?? '') &&
  WORD.test(text[at - 1] ?? '') &&
  WORD.test(text[at + 1] ?? '');
