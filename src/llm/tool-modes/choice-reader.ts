/**
 * What a person may see of an answer that is an object, while it arrives: the words of an answer, and the name of the
 * action. A text that is no object is shown as it is. Owns the part that has arrived.
 */
import { jsonIn } from '../../lib/json-value.ts';

/** The first key of every answer. */
export const DECIDES = 'action';
/** The value of the deciding key for an answer in words. */
export const SAYS = 'answer';
export const WORDS = 'text';

export interface ReadPiece {
  /** Words that can be shown now. */
  readonly words: string;
  /** The name of the action; given once, as soon as it is known. */
  readonly action?: string;
}

const NOTHING: ReadPiece = { words: '' };

/**
 * An answer with a longer beginning names no existing action; the beginning is read anew with every piece.
 */
const LONGEST_HEAD = 4000;

/** White space, and the fence that some models put around an object. */
const BEFORE = /^\s*(?:`{1,3}\w*\s*)?$/;
const OBJECT = /^\s*(?:```\w*\s*)?\{/;
const ACTION = new RegExp(String.raw`^[^{]*\{\s*"${DECIDES}"\s*:\s*("(?:[^"\\]|\\.)*")`);
const TEXT = new RegExp(String.raw`^\s*,\s*"${WORDS}"\s*:\s*"`);

export function choiceReader(): (piece: string) => ReadPiece {
  let raw = '';
  let isOver = false;
  let words: ((piece: string) => string) | null = null;
  return (piece) => {
    if (words !== null) return { words: words(piece) };
    if (isOver || raw.length > LONGEST_HEAD) return NOTHING;
    raw += piece;
    if (BEFORE.test(raw)) return NOTHING;
    if (!OBJECT.test(raw)) {
      words = (more) => more;
      return { words: raw };
    }
    const [whole, quoted] = ACTION.exec(raw) ?? [];
    if (whole === undefined || quoted === undefined) return NOTHING;
    const action = String(jsonIn(quoted) ?? quoted);
    if (action !== SAYS) {
      isOver = true;
      return { words: '', action };
    }
    const rest = raw.slice(whole.length);
    const [before] = TEXT.exec(rest) ?? [];
    if (before === undefined) return NOTHING;
    words = stringReader();
    return { words: words(rest.slice(before.length)) };
  };
}

const ESCAPED: { readonly [letter: string]: string } = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** The inside of a JSON string in pieces, up to its end; an incomplete character waits for its rest. */
function stringReader(): (piece: string) => string {
  let held = '';
  let half = '';
  let isOver = false;
  return (piece) => {
    if (isOver) return '';
    const text = held + piece;
    let read = half;
    let at = 0;
    while (at < text.length) {
      const letter = text[at] ?? '';
      if (letter === '"') {
        isOver = true;
        break;
      }
      const taken = letter === '\\' ? escaped(text.slice(at, at + 6)) : { text: letter, length: 1 };
      if (taken === null) break;
      read += taken.text;
      at += taken.length;
    }
    held = text.slice(at);
    half = isOver ? '' : (/[\ud800-\udbff]$/.exec(read)?.[0] ?? '');
    return read.slice(0, read.length - half.length);
  };
}

/** `null`: it is incomplete. */
function escaped(text: string): { readonly text: string; readonly length: number } | null {
  const letter = text[1];
  if (letter === undefined) return null;
  if (letter !== 'u') return { text: ESCAPED[letter] ?? letter, length: 2 };
  if (text.length < 6) return null;
  return { text: String.fromCharCode(Number.parseInt(text.slice(2), 16)), length: 6 };
}
