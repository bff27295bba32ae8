/** Pure: the message being typed, of any number of lines, with a cursor and a history. */
import { sanitize } from '../render/text/text.ts';
import type { Key } from './keys.ts';

export interface InputDraft {
  readonly text: string;
  /** Index into the text, in characters. */
  readonly cursor: number;
  /** How far back in the history it is; 0: the text being typed. */
  readonly back: number;
  /** The typed text, kept while the history is shown. */
  readonly kept: string;
  /** The text that was cut last, for Ctrl+Y. */
  readonly cut?: string;
}

export const EMPTY: InputDraft = { text: '', cursor: 0, back: 0, kept: '' };

/** The conversation refuses longer texts: they belong in a file. */
export const MAX_TYPED = 200_000;

/**
 * The draft after one more key; keys with another meaning leave it unchanged.
 *
 * @param history oldest first.
 * @param most characters that it may hold
 */
export function edited(
  draft: InputDraft,
  key: Key,
  history: readonly string[],
  most = MAX_TYPED,
): InputDraft {
  const { text, cursor } = draft;
  switch (key.kind) {
    case 'text': {
      const put = sanitize(key.text);
      // Empty lines at the beginning of a paste are dropped.
      return replace(draft, cursor, cursor, text === '' ? put.replace(/^\n+/, '') : put, most);
    }
    case 'newline':
      return replace(draft, cursor, cursor, '\n', most);
    case 'backspace':
      return replace(draft, before(text, cursor), cursor, '');
    case 'delete':
      return replace(draft, cursor, after(text, cursor), '');
    case 'delete_word':
      return without(draft, cursor - lengthOfLastWord(text.slice(0, cursor)), cursor);
    case 'delete_next_word':
      return without(draft, cursor, cursor + lengthOfNextWord(text.slice(cursor)));
    case 'clear_line':
      return without(draft, lineStart(text, cursor), cursor);
    case 'delete_to_end': {
      const end = lineEnd(text, cursor);
      // At the end of a line, the next line is joined to it.
      return without(draft, cursor, end === cursor ? Math.min(text.length, end + 1) : end);
    }
    case 'put_back':
      return replace(draft, cursor, cursor, draft.cut ?? '', most);
    case 'transpose':
      return transposed(draft);
    case 'word_left':
      return { ...draft, cursor: cursor - lengthOfLastWord(text.slice(0, cursor)) };
    case 'word_right':
      return { ...draft, cursor: cursor + lengthOfNextWord(text.slice(cursor)) };
    case 'left':
      return { ...draft, cursor: before(text, cursor) };
    case 'right':
      return { ...draft, cursor: after(text, cursor) };
    case 'line_start':
      return { ...draft, cursor: lineStart(text, cursor) };
    case 'line_end':
      return { ...draft, cursor: lineEnd(text, cursor) };
    case 'up':
      return lineStart(text, cursor) > 0 ? vertical(draft, -1) : remembered(draft, 1, history);
    case 'down':
      return lineEnd(text, cursor) < text.length
        ? vertical(draft, 1)
        : remembered(draft, -1, history);
    default:
      return draft;
  }
}

export function replace(
  draft: InputDraft,
  from: number,
  to: number,
  text: string,
  most = MAX_TYPED,
): InputDraft {
  const room = Math.max(0, most - draft.text.length + (to - from));
  const put = text.slice(0, room);
  const whole = draft.text.slice(0, from) + put + draft.text.slice(to);
  return { ...draft, text: whole, cursor: from + put.length };
}

/** Cuts text; Ctrl+Y puts it back. */
function without(draft: InputDraft, from: number, to: number): InputDraft {
  const cut = draft.text.slice(from, to);
  return cut === '' ? draft : { ...replace(draft, from, to, ''), cut };
}

/** Swaps the two characters around the cursor; at the end of a line, the two before it. */
function transposed(draft: InputDraft): InputDraft {
  const { text, cursor } = draft;
  const end = cursor === lineEnd(text, cursor) ? cursor : after(text, cursor);
  const middle = before(text, end);
  const from = before(text, middle);
  if (from < lineStart(text, end) || from === middle) return draft;
  return replace(draft, from, end, text.slice(middle, end) + text.slice(from, middle));
}

const lineStart = (text: string, at: number): number => text.slice(0, at).lastIndexOf('\n') + 1;

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** Longer than any one character. */
const NEAR = 64;

/** The units that a person sees as one character each. */
const charactersOf = (text: string): readonly string[] =>
  Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

const before = (text: string, at: number): number =>
  at - (charactersOf(text.slice(Math.max(0, at - NEAR), at)).at(-1)?.length ?? 0);

const after = (text: string, at: number): number =>
  at + (charactersOf(text.slice(at, at + NEAR))[0]?.length ?? 0);

/**
 * The length of the last word with the white space after it. A search for the text's end would begin at each
 * of its characters.
 */
function lengthOfLastWord(text: string): number {
  let start = text.trimEnd().length;
  while (start > 0 && !/\s/.test(text.charAt(start - 1))) start -= 1;
  return text.length - start;
}

const lengthOfNextWord = (text: string): number => /^\s*\S*/u.exec(text)?.[0].length ?? 0;

function vertical(draft: InputDraft, by: 1 | -1): InputDraft {
  const { text, cursor } = draft;
  const column = cursor - lineStart(text, cursor);
  const start = by === 1 ? lineEnd(text, cursor) + 1 : lineStart(text, lineStart(text, cursor) - 1);
  return { ...draft, cursor: Math.min(start + column, lineEnd(text, start)) };
}

function remembered(draft: InputDraft, by: 1 | -1, history: readonly string[]): InputDraft {
  const back = Math.min(history.length, Math.max(0, draft.back + by));
  if (back === draft.back) return draft;
  const kept = draft.back === 0 ? draft.text : draft.kept;
  const text = back === 0 ? kept : (history.at(-back) ?? '');
  return { ...draft, text, cursor: text.length, back, kept };
}

/** A message of one line that ends in a backslash continues on the next line. */
export const goesOn = ({ text, cursor }: InputDraft): boolean =>
  cursor === text.length && /(?:^|[^\\])\\$/.test(text);
