/**
 * Folds text for a person into lines of whole words; no other file folds a line. A command to be copied counts as one
 * word, so that it never contains a line end of ours.
 */
import { isCommandName } from '../../../options/commands.ts';
import { takesValue } from '../../../options/table.ts';
import { isProgramName, programAt } from '../../process/program-name.ts';
import type { Sink } from '../../process/terminal.ts';
import { widthOf } from './text.ts';

/** The cells of a line, less one for a cursor; a pipe has no columns, and counts as `ofPipe`. */
export const columnsOf = (sink: Sink, ofPipe = 240): number =>
  sink.isTerminal ? sink.size().columns - 1 : ofPipe;

/** Folds only for a terminal: a pipe has no columns. */
export function printFolded(sink: Sink, text: string): void {
  sink.write(sink.isTerminal ? foldToWidth(text, sink.size().columns - 1) : text);
}

/** Folds each line to at most `width` cells; further lines are indented to where its words begin. */
export const foldToWidth = (text: string, width: number): string =>
  text
    .split('\n')
    .flatMap((line) => (seenWidth(line) <= width ? [line] : folded(line, width)))
    .join('\n');

/** If a name leaves no room beside it, its words go below it. */
function folded(line: string, width: number): readonly string[] {
  const name = NAME_AND_WORDS.exec(line)?.[0] ?? '';
  const isPlain = !line.includes('\u001b');
  if (name === '' || !isPlain || width - name.length >= MIN_COLUMN)
    return fill(line, width, hangOf(line, width));
  const indent = ' '.repeat(name.length - name.trimStart().length + 4);
  const words = fill(line.slice(name.length), width - indent.length);
  return [name.trimEnd(), ...words.map((one) => indent + one)];
}

/** Lines of whole words; `hang` indents further lines. No line begins or ends with a separating dot. */
export function fill(text: string, width: number, hang = 0): readonly string[] {
  const lines: string[] = [];
  const indent = ' '.repeat(hang);
  let line = '';
  let isOpen = false;
  for (const word of wordsOf(text)) {
    const longer = isOpen ? `${line} ${word}` : line + word;
    // A word that fits nowhere does not get a line of its own, unless it is a command.
    const isBetter = seenWidth(indent + word) <= width || word.includes(' ');
    if (line.trim() !== '' && seenWidth(longer) > width && isBetter) {
      lines.push(line.trimEnd().replace(LAST_DOT, '$1'));
      isOpen = word !== DOT;
      line = isOpen ? indent + word : indent;
    } else {
      line = longer;
      isOpen = true;
    }
  }
  return [...lines, line];
}

const DOT = '·';
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour may end behind it
const LAST_DOT = / ·((?:\u001b\[\d*m)*)$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no cells
const COLORS = /\u001b\[\d*m/g;
const seenWidth = (line: string): number => widthOf(line.replace(COLORS, ''));

/** The smallest useful width of a column. */
const MIN_COLUMN = 20;
/** A name, an option or a command, followed by its description. */
const NAME_AND_WORDS = /^ *\S+(?: \S+){0,6}? {2,}(?=\S)/;

/** The indent of further lines: the column after a name, else a little deeper. */
function hangOf(line: string, width: number): number {
  const plain = line.replace(COLORS, '');
  const column = NAME_AND_WORDS.exec(plain)?.[0].length ?? 0;
  if (column > 0 && width - column >= MIN_COLUMN) return column;
  const indent = plain.length - plain.trimStart().length;
  return Math.min(indent + 2, Math.max(0, width - MIN_COLUMN));
}

/** Splits at blanks, except inside a command. Empty words stand for further blanks. */
function wordsOf(text: string): readonly string[] {
  const all = text.split(' ');
  const words: string[] = [];
  for (let at = 0; at < all.length; ) {
    const end = endOfCommand(all, at);
    words.push(all.slice(at, end).join(' '));
    at = end;
  }
  return words;
}

/** Programs of others that our advice names, after a colon. */
const OTHERS: ReadonlySet<string> = new Set('ollama apt dnf chmod'.split(' '));
const ENDS_CLAUSE = /[,;.)]$/;

/**
 * The index after the last word of the command that begins at `at`; after that word itself if none
 * begins there.
 */
function endOfCommand(words: readonly string[], at: number): number {
  const word = words[at] ?? '';
  const program = word.replace(COLORS, '').replace(/^[("]+/, '');
  if (isOdd(program, '`')) return endOfQuote(words, at, '`');
  const started = programAt([program, words[at + 1] ?? ''], 0);
  if (started > 0) return endOfArguments(words, at + started);
  const isTyped = OTHERS.has(program) && words[at - 1]?.endsWith(':') === true;
  if (!isTyped) return at + 1;
  let end = at + 1;
  while (end < words.length && !ENDS_CLAUSE.test(words[end - 1] ?? '')) end += 1;
  return end;
}

/** As far as our own command line accepts the words. */
function endOfArguments(words: readonly string[], from: number): number {
  let end = from;
  while (end < words.length) {
    const word = words[end] ?? '';
    const before = words[end - 1] ?? '';
    if (!isArgument(word, before)) return end;
    const quote = /^\$?(['"])/.exec(word)?.[1];
    end = quote !== undefined && isOdd(word, quote) ? endOfQuote(words, end, quote) : end + 1;
    if (ENDS_CLAUSE.test(words[end - 1] ?? '')) return end;
  }
  return end;
}

/** Commands that take one further word. */
const TAKE_A_WORD: ReadonlySet<string> = new Set(['setup', 'mcp', 'approve', 'deny', 'reset']);

function isArgument(word: string, before: string): boolean {
  const plain = word.replace(COLORS, '').replace(/[,;.)]+$/, '');
  if (isCommandName(plain) && isProgramName(before.replace(COLORS, '').replace(/^[("]+/, '')))
    return true;
  if (/^(?:-|\$?['"])/.test(plain)) return true;
  if (takesValue(before) || TAKE_A_WORD.has(before)) return plain !== '';
  return /^[A-Z][A-Z0-9_]+$|^\d+$|[\\/:]|\w\.\w/.test(plain);
}

/** The index after the word that closes the quote; after the opening word if none closes it. */
function endOfQuote(words: readonly string[], at: number, quote: string): number {
  const closing = words.findIndex((word, index) => index > at && isOdd(word, quote));
  return closing < 0 ? at + 1 : closing + 1;
}

const isOdd = (word: string, quote: string): boolean => word.split(quote).length % 2 === 0;
