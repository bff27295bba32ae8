/** A command line parsed without a shell, or why it cannot run that way. */
export type SplitCommand =
  | {
      readonly ok: true;
      readonly program: string;
      readonly args: readonly string[];
      /** Words that a shell would have expanded (`*.py`, `~/x`, `$HOME`); they are passed unchanged. */
      readonly unexpanded: readonly string[];
    }
  | { readonly ok: false; readonly reason: string; readonly hint: string };

/** `literal` marks every character that was in quotes or after a backslash. */
interface Word {
  readonly text: string;
  readonly quoted: boolean;
  readonly expandable: boolean;
}

type Piece = { readonly kind: 'text'; readonly text: string; readonly end: number };

const OPERATORS = ['&&', '||', '$(', '<<', '>>', '|', ';', '<', '>', '&', '`', '\n', '\r'];
const ESCAPABLE = ' \t\'"\\|&;<>`$*?[]()#~!{}';

/**
 * Splits `line` into a program and its arguments. Quotes '…' and "…" group words and keep their text. A
 * backslash escapes `"` everywhere. Otherwise, on win32 it is a plain character (so that paths survive);
 * elsewhere it escapes what a POSIX shell lets it escape and is kept before anything else. Unquoted operators
 * are refused with a way to do the same without them.
 * @param mayStay whether a program may be left running in the background
 */
export function splitCommand(
  line: string,
  platform: NodeJS.Platform,
  mayStay = false,
): SplitCommand {
  const trimmed = line.trim();
  if (trimmed === '') return refuse('cmd is empty.', 'Give the program and its arguments.');
  if (trimmed.includes('\0')) return refuse('cmd holds a NUL character.', 'Leave it out.');
  const words: Word[] = [];
  let at = 0;
  while (at < trimmed.length) {
    if (isBlank(trimmed[at])) {
      at += 1;
      continue;
    }
    if (trimmed[at] === '#') break;
    const merged = /^2>&1(?=\s|$)/.exec(trimmed.slice(at));
    if (merged) {
      // stdout and stderr are returned as one text anyway.
      at += merged[0].length;
      continue;
    }
    const read = readWord(trimmed, at, { platform, mayStay });
    if ('refused' in read) return read.refused;
    words.push(read.word);
    at = read.end;
  }
  return toCommand(words);
}

function toCommand(words: readonly Word[]): SplitCommand {
  const [program, ...args] = words;
  if (program === undefined || program.text === '')
    return refuse('cmd names no program.', 'Give the program and its arguments.');
  if (!program.quoted && /^[A-Za-z_]\w*=/.test(program.text)) {
    return refuse(
      `"${program.text}" sets an environment variable, which needs a shell.`,
      'Start with the program; give the variable in env where the call has it, pass its value as an argument, or set it inside the program.',
    );
  }
  return {
    ok: true,
    program: program.text,
    args: args.map((word) => word.text),
    unexpanded: args.filter((word) => word.expandable).map((word) => word.text),
  };
}

type ReadWord =
  | { readonly word: Word; readonly end: number }
  | { readonly refused: Extract<SplitCommand, { ok: false }> };

function readWord(
  line: string,
  start: number,
  { platform, mayStay }: { readonly platform: NodeJS.Platform; readonly mayStay: boolean },
): ReadWord {
  let text = '';
  let bare = '';
  let quoted = false;
  let at = start;
  while (at < line.length) {
    const character = line[at] ?? '';
    if (character === ' ' || character === '\t') break;
    if (character === "'" || character === '"') {
      const piece = readQuoted(line, at, platform);
      if (piece === null) {
        return {
          refused: refuse(
            `The quote ${character} is never closed.`,
            `Close it, or write \\" where a quote is meant as text.`,
          ),
        };
      }
      quoted = true;
      text += piece.text;
      at = piece.end;
      continue;
    }
    if (character === '\\') {
      const next = line[at + 1] ?? '';
      const escapes = platform === 'win32' ? next === '"' : next !== '' && ESCAPABLE.includes(next);
      text += escapes ? next : '\\';
      at += escapes ? 2 : 1;
      continue;
    }
    const operator = OPERATORS.find((candidate) => line.startsWith(candidate, at));
    if (operator !== undefined) return { refused: refuse(...operatorHint(operator, mayStay)) };
    text += character;
    bare += character;
    at += 1;
  }
  const expandable = bare.startsWith('~') || /[*?]|\[.+\]|\$[A-Za-z_{]|%\w+%/.test(bare);
  return { word: { text, quoted, expandable }, end: at };
}

/** The text between the quote at `start` and its partner, and where it ends; `null`: no partner. */
function readQuoted(line: string, start: number, platform: NodeJS.Platform): Piece | null {
  const quote = line[start];
  let text = '';
  for (let at = start + 1; at < line.length; at += 1) {
    const character = line[at] ?? '';
    if (character === quote) return { kind: 'text', text, end: at + 1 };
    if (character !== '\\' || quote === "'") {
      text += character;
      continue;
    }
    const next = line[at + 1] ?? '';
    const escapes = platform === 'win32' ? next === '"' : '"\\$`'.includes(next) && next !== '';
    if (escapes && !(platform === 'win32' && closesAfterBackslash(line, at + 1))) {
      text += next;
      at += 1;
    } else {
      text += character;
    }
  }
  return null;
}

/** `"C:\my folder\" x`: on win32 a quote after a folder's backslash ends the word. */
function closesAfterBackslash(line: string, quoteAt: number): boolean {
  const after = line[quoteAt + 1];
  const opened = line.lastIndexOf('"', quoteAt - 1);
  const looksLikeFolder = /^"(?:[A-Za-z]:|\.{0,2})\\/.test(line.slice(opened, quoteAt));
  return looksLikeFolder && (after === undefined || isBlank(after));
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

const refuse = (reason: string, hint: string): Extract<SplitCommand, { ok: false }> => ({
  ok: false,
  reason,
  hint,
});

/** [the fault, the next step] @param mayStay whether the tool can leave a program running in the background */
function operatorHint(operator: string, mayStay: boolean): [string, string] {
  const shown = operator === '\n' || operator === '\r' ? 'A new line' : `"${operator}"`;
  return [
    `${shown} needs a shell, and there is none: one program at a time.`,
    operator === '&' && mayStay
      ? 'Run the program with the argument background set to true to keep it running.'
      : (NEXT[operator] ?? (mayStay ? EACH_IN_ITS_FOLDER : EACH_ALONE)),
  ];
}

const EACH_ALONE =
  'Run each program in a call of its own; every one starts in the workspace folder, so cd is not needed.';
const EACH_IN_ITS_FOLDER =
  'Run each program in a call of its own; every one starts in the workspace folder, or in the folder that its cwd names, so cd is not needed.';
const INPUT = 'Run the program alone, with its input in the stdin argument.';
const OUTPUT =
  'Run the program alone and use what it prints; to save text in a file use write_file.';
const INNER =
  'Run the inner command first and write its result into this one, or quote the text with single quotes.';

const NEXT: { readonly [operator: string]: string } = {
  '&': 'Programs cannot be left in the background: run it alone and let it end.',
  '|': INPUT,
  '<': INPUT,
  '<<': INPUT,
  '>': OUTPUT,
  '>>': OUTPUT,
  '`': INNER,
  '$(': INNER,
};
