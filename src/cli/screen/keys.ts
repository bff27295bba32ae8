/** Pure: decodes the input of a terminal in raw mode into keys. */
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: ValueOf<typeof CONTROLS> | ValueOf<typeof SEQUENCES> };

type ValueOf<Table> = Table[keyof Table];

export interface KeyState {
  /** The beginning of a sequence whose end has not arrived. */
  readonly rest: string;
  /** Between the marks of a bracketed paste nothing is a key. */
  readonly isPasting: boolean;
  /** Not the first read: input that the terminal buffered before has line ends where Enter was pressed. */
  readonly isLater?: true;
}

export const NOTHING_PRESSED: KeyState = { rest: '', isPasting: false };

const LATER = { isLater: true } as const;

const PASTE_BEGINS = '\u001b[200~';
const PASTE_ENDS = '\u001b[201~';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are keys
const SEQUENCE = /^(?:\u001b\[[0-?]*[ -/]*[@-~]|\u001bO[@-~]|\u001b[^[O\u001b])/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are keys
const UNFINISHED = /^(?:\u001b\[[0-?]*[ -/]*|\u001bO?)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are keys
const TEXT = /^[^\u0000-\u001f\u007f]+/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are keys
const BEFORE_TEXT = /^\r+[^\u0000-\u001f\u007f]/;
/** A longer sequence is not a key. */
const LONGEST_SEQUENCE = 64;
const ESCAPE = '\u001b';
/** What may follow an Escape that was cut off from its sequence. */
const GOES_ON = /^[[O]/;

const CONTROLS = {
  1: 'line_start',
  2: 'left',
  3: 'interrupt',
  4: 'end_of_input',
  5: 'line_end',
  6: 'right',
  8: 'backspace',
  9: 'complete',
  10: 'newline',
  11: 'delete_to_end',
  12: 'redraw',
  13: 'enter',
  14: 'down',
  16: 'up',
  18: 'search',
  20: 'transpose',
  21: 'clear_line',
  23: 'delete_word',
  24: 'pause',
  25: 'put_back',
  26: 'suspend',
  127: 'backspace',
} as const;

/** What follows Escape; Alt with Enter is a new line. */
const SEQUENCES = {
  '\r': 'newline',
  '\n': 'newline',
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  '[H': 'line_start',
  '[F': 'line_end',
  OH: 'line_start',
  OF: 'line_end',
  '[1~': 'line_start',
  '[4~': 'line_end',
  '[3~': 'delete',
  b: 'word_left',
  f: 'word_right',
  d: 'delete_next_word',
  '\u007f': 'delete_word',
  '\b': 'delete_word',
  '[1;3D': 'word_left',
  '[1;3C': 'word_right',
  '[1;5D': 'word_left',
  '[1;5C': 'word_right',
  '[13;2u': 'newline',
  '[27;2;13~': 'newline',
} as const;

/** @param chunk of one read, which may end inside a sequence */
export function parseKeys(
  before: KeyState,
  chunk: string,
): { readonly state: KeyState; readonly keys: readonly Key[] } {
  const keys: Key[] = [];
  let { isPasting } = before;
  // A lone Escape means nothing; what a later read brings is a key of its own, such as Ctrl+C.
  const isAlone = !isPasting && before.rest === ESCAPE && !GOES_ON.test(chunk);
  let rest = isAlone ? chunk : before.rest + chunk;
  while (rest !== '') {
    if (isPasting) {
      const end = rest.indexOf(PASTE_ENDS);
      const kept = end < 0 ? beginningOf(PASTE_ENDS, rest) : 0;
      const text = rest.slice(0, end < 0 ? rest.length - kept : end);
      if (text !== '') keys.push({ kind: 'text', text: text.replace(/\r\n?/g, '\n') });
      if (end < 0)
        return { state: { ...LATER, rest: rest.slice(rest.length - kept), isPasting }, keys };
      isPasting = false;
      rest = rest.slice(end + PASTE_ENDS.length);
    } else if (rest.startsWith(PASTE_BEGINS)) {
      isPasting = true;
      rest = rest.slice(PASTE_BEGINS.length);
    } else if (UNFINISHED.test(rest) && rest.length < LONGEST_SEQUENCE) {
      return { state: { ...LATER, rest, isPasting }, keys };
    } else {
      const [key, length] = nextKey(rest);
      const isTypedBefore = before.isLater !== true && rest[0] === '\n';
      if (key !== null) keys.push(isTypedBefore ? { kind: 'enter' } : key);
      rest = rest.slice(length);
    }
  }
  return { state: { ...LATER, rest: '', isPasting }, keys };
}

function nextKey(rest: string): readonly [Key | null, length: number] {
  const sequence = SEQUENCE.exec(rest)?.[0];
  if (sequence !== undefined) {
    return [keyIn(SEQUENCES, sequence.slice(1)), sequence.length];
  }
  const text = TEXT.exec(rest)?.[0];
  if (text !== undefined) return [{ kind: 'text', text }, text.length];
  // A line end followed by text in one read was pasted, in a terminal that does not mark pastes.
  if (BEFORE_TEXT.test(rest)) return [{ kind: 'text', text: '\n' }, 1];
  return [keyIn(CONTROLS, rest.charCodeAt(0)), 1];
}

/** A key of the table; `null` for anything else. */
const keyIn = <Table extends object>(table: Table, name: string | number) =>
  Object.hasOwn(table, name) ? { kind: table[name as keyof Table] } : null;

/** How many characters at the end of `text` may be the beginning of `mark`. */
function beginningOf(mark: string, text: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1) {
    if (mark.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
