/**
 * Pure: what a person wants to see of JSON that is still being written: the end of the text in the value
 * under way. Read piece by piece, so that a long file costs no more at its end than at its beginning.
 */
export interface JsonTail {
  readonly isJson: boolean | null;
  /** Open brackets, innermost last. */
  readonly open: string;
  readonly isInString: boolean;
  readonly isKey: boolean;
  /** The part of an escape that has arrived, without its backslash; `null` outside of one. */
  readonly escape: string | null;
  /** The end of the last string value, or of plain text. */
  readonly value: string;
}

export const NO_TAIL: JsonTail = {
  isJson: null,
  open: '',
  isInString: false,
  isKey: false,
  escape: null,
  value: '',
};

const KEPT = 4000;
const ESCAPES: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '', b: '', f: '' };

/** @param text the next piece */
export function withPiece(before: JsonTail, text: string): JsonTail {
  const state = { ...before };
  for (const character of text) {
    if (state.isJson === null) {
      if (character.trim() === '') continue;
      state.isJson = character === '{' || character === '[';
    }
    if (!state.isJson) state.value += character;
    else if (state.isInString) inString(state, character);
    else between(state, character);
  }
  return state.value.length > KEPT ? { ...state, value: state.value.slice(-KEPT) } : state;
}

type Writable = { -readonly [Key in keyof JsonTail]: JsonTail[Key] };

function between(state: Writable, character: string): void {
  switch (character) {
    case '{':
    case '[':
      state.open += character;
      state.isKey = character === '{';
      break;
    case '}':
    case ']':
      state.open = state.open.slice(0, -1);
      state.isKey = false;
      break;
    case ',':
      state.isKey = state.open.endsWith('{');
      break;
    case ':':
      state.isKey = false;
      break;
    case '"':
      state.isInString = true;
      if (!state.isKey) state.value = '';
      break;
    default:
  }
}

function inString(state: Writable, character: string): void {
  if (state.escape !== null) {
    state.escape += character;
    const text = unescaped(state.escape);
    if (text === null) return;
    state.escape = null;
    add(state, text);
  } else if (character === '\\') state.escape = '';
  else if (character === '"') state.isInString = false;
  else add(state, character);
}

/** `null` while the escape is incomplete. */
function unescaped(letters: string): string | null {
  if (!letters.startsWith('u')) return ESCAPES[letters] ?? letters;
  if (letters.length < 5) return null;
  const code = Number.parseInt(letters.slice(1), 16);
  return Number.isNaN(code) ? '' : String.fromCharCode(code);
}

/** A key is not shown. */
function add(state: Writable, text: string): void {
  if (!state.isKey) state.value += text;
}
