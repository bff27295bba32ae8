/**
 * Checks whether an example is literally in a passage of the goal: the input, followed by the result. Pure. It
 * interprets no words, so it does not know what the passage says between the two.
 */
import { isDeepStrictEqual } from 'node:util';
import { afterItem, readLiteral, skipSpace } from '../../lib/text/literal.ts';
import { stands } from '../../probe/names-file.ts';
import type { BriefInput } from '../../schema/model/brief.ts';
import { blockBehind, goalLineAt, goalLinesOf } from './goal-lines.ts';
import { occurrencesOf } from './passage.ts';
import { markedTexts, type QuotedRange } from './quotation-marks.ts';
import type { StatedExample } from './stated-brief.ts';

const CALL =
  /^\s*(?:[\p{ID_Start}_$][\p{ID_Continue}$]*\.)*([\p{ID_Start}_$][\p{ID_Continue}$]*)\(/u;

/** A name with literal values, ignoring white space; `null`: anything else. */
export function parseCall(text: string): Extract<BriefInput, { how: 'call' }> | null {
  const head = CALL.exec(text);
  const name = head?.[1];
  const args = head && readArguments(text, head[0].length);
  if (name === undefined || !args || text.slice(args.end).trim() !== '') return null;
  return { how: 'call', name, args: args.values };
}

/** Literals up to the closing bracket; `null` if anything else is there. */
function readArguments(text: string, start: number): { values: unknown[]; end: number } | null {
  const values: unknown[] = [];
  let position = skipSpace(text, start);
  while (text[position] !== ')') {
    const value = readLiteral(text, position);
    const next = value && afterItem(text, value.end, ')');
    if (!value || next === null) return null;
    values.push(value.value);
    position = next;
  }
  return { values, end: position + 1 };
}

/**
 * Parses the input of an example; `null` if the code could not receive it. Anything in the form of a call
 * counts as a call, because small models often label calls as commands.
 */
export function exampleInput({ input }: StatedExample): BriefInput | null {
  switch (input.how) {
    case 'call':
      return parseCall(input.text);
    case 'argv':
      return parseCall(input.argv.join(' ')) ?? { how: 'argv', argv: [...input.argv] };
    case 'stdin':
      return parseCall(input.text) ?? { how: 'stdin', text: input.text };
    default:
      return input satisfies never;
  }
}

/** Where the input occurs in the passage. */
export function inputPlaces(
  goal: string,
  passage: QuotedRange,
  input: BriefInput,
): readonly QuotedRange[] {
  switch (input.how) {
    case 'call':
      return callsIn(goal, passage, input);
    case 'argv':
      return commandsIn(goal, passage, input.argv);
    case 'stdin':
      return occurrencesOf(goal, input.text, passage).filter((span) => isToken(goal, span));
    default:
      return input satisfies never;
  }
}

function callsIn(
  goal: string,
  passage: QuotedRange,
  { name, args }: Extract<BriefInput, { how: 'call' }>,
): readonly QuotedRange[] {
  return occurrencesOf(goal, name, passage).flatMap(({ start, end }) => {
    const isName = !/[\p{ID_Continue}$]/u.test(goal[start - 1] ?? '') && goal[end] === '(';
    const read = isName ? readArguments(goal, end + 1) : null;
    return read && read.end <= passage.end && isDeepStrictEqual(read.values, args)
      ? [{ start, end: read.end }]
      : [];
  });
}

/** Matches the command as people type it; the program that runs the file may be left out. */
function commandsIn(
  goal: string,
  passage: QuotedRange,
  argv: readonly string[],
): readonly QuotedRange[] {
  for (const words of [argv, argv.slice(1)]) {
    const found = [typed(words, '"'), typed(words, "'")]
      .flatMap((line) => occurrencesOf(goal, line, passage))
      .filter(({ start, end }) => isCommandAlone(goal, start, end));
    if (found.length > 0) return found;
  }
  return [];
}

const typed = (words: readonly string[], mark: string): string =>
  words.map((word) => (/\s/u.test(word) ? `${mark}${word}${mark}` : word)).join(' ');

const isCommandAlone = (goal: string, start: number, end: number): boolean =>
  stands(goal.slice(Math.max(0, start - 3), end + 3), goal.slice(start, end));

/**
 * False for a piece of a longer number, or of a word in a script with letter case. Scripts without spaces have
 * no such words.
 */
const isToken = (goal: string, { start, end }: QuotedRange): boolean =>
  isFreeBefore(goal, start) && isFreeBehind(goal, end);

const isFreeBefore = (goal: string, at: number): boolean =>
  !/(?:[\p{Ll}\p{Lu}\p{N}_]|\p{N}[.,]|[-+])$/u.test(goal.slice(Math.max(0, at - 4), at));

const isFreeBehind = (goal: string, at: number): boolean =>
  !/^(?:[\p{Ll}\p{Lu}\p{N}_]|[.,]\p{N})/u.test(goal.slice(at, at + 4));

/**
 * The first value after a call. It must equal the stated value and be all that the passage says about the call:
 * preceded by at most one word or sign, followed by nothing. With more words it may be what must not come out.
 */
export function literalBehind(goal: string, from: number, passage: QuotedRange, said: string) {
  const found = firstLiteral(goal, from, passage);
  if (found === null || !isStraight(goal.slice(closed(goal, from), found.start))) return null;
  if (!isOver(goal.slice(closed(goal, found.end), passage.end))) return null;
  const value = readLiteral(said.trim(), 0);
  const isSame =
    (value !== null &&
      value.end === said.trim().length &&
      isDeepStrictEqual(value.value, found.value)) ||
    (typeof found.value === 'string' && found.value === said);
  return isSame ? found : null;
}

interface Found extends QuotedRange {
  readonly value: unknown;
}

/** The value with its opening quotation mark, but without the closing one. */
function firstLiteral(goal: string, from: number, passage: QuotedRange): Found | null {
  const marked = markedTexts(goal, passage);
  // A quoted call is followed by its closing mark.
  const around = marked.find(({ start, end }) => start < from && from <= end);
  for (let at = around ? around.end + 1 : from; at < passage.end; at += 1) {
    if (goal[at] === '\n') return null;
    const text = marked.find(({ start }) => start - 1 === at);
    const span = { start: at, end: text?.end ?? at };
    if (text?.mark === '`') return wholeLiteral(goal.slice(text.start, text.end), span);
    const literal = isFreeBefore(goal, at) ? readLiteral(goal, at) : null;
    if (literal)
      return literal.end <= passage.end && isFreeBehind(goal, literal.end)
        ? { value: literal.value, start: at, end: literal.end }
        : null;
    if (text) return { value: goal.slice(text.start, text.end), ...span };
    if (/[\p{N}([{]/u.test(goal[at] ?? '')) return null;
  }
  return null;
}

function wholeLiteral(text: string, span: QuotedRange): Found | null {
  const literal = readLiteral(text.trim(), 0);
  return literal?.end === text.trim().length ? { value: literal.value, ...span } : null;
}

/** Signs that announce a result; `≠` and `<` do not. */
const SIGN = /^\s*(?:={1,3}|[-=~]+>|[→⇒⟶⟹↦➜➔]|[:：]|\p{Pd}+)\s*$/u;

/** True for a single word, a sign or nothing between input and result. */
const isStraight = (between: string): boolean =>
  SIGN.test(between) || (/^[\p{L}\p{M}\s]*$/u.test(between) && wordsIn(between) <= 1);

const NEXT_CALL = /^\s*[\p{L}\p{M}]*\s*["'`“„«「]?[\p{ID_Start}_$][\p{ID_Continue}$.]*\(/u;

/** True if no word continues the statement: the line or sentence ends, or a mark or another call follows. */
const isOver = (behind: string): boolean =>
  /^[^\S\n]*(?:$|\n|\p{P})/u.test(behind) || NEXT_CALL.test(behind);

const WORDS_BEFORE = 3;
const WORDS_BEHIND = 1;
const LONG = /[\p{N}"'`“”«»「」]/u;

/**
 * True if the text is the whole output that the passage states for the input ending at `from`: alone in
 * quotation marks, the entire rest of the passage, or the block of lines after it. A part of these does not
 * count.
 */
export function isStatedWhole(
  goal: string,
  from: number,
  passage: QuotedRange,
  said: string,
): boolean {
  return (
    isMarkedAlone(goal, from, passage, said) ||
    isAllThatIsLeft(goal, from, passage, said) ||
    isBlockBehind(goal, from, passage, said)
  );
}

function isMarkedAlone(goal: string, from: number, passage: QuotedRange, said: string): boolean {
  const begin = closed(goal, from);
  const text = markedTexts(goal, passage).find(({ start }) => start > begin);
  if (!text || goal.slice(text.start, text.end).trim() !== said.trim()) return false;
  const before = goal.slice(begin, text.start - 1);
  const behind = goal.slice(text.end + 1, passage.end);
  return (
    !LONG.test(before) &&
    isEndOf(behind, WORDS_BEHIND) &&
    wordsIn(before) + wordsIn(behind) <= WORDS_BEFORE
  );
}

/** One word or sign, then only the text: `prints 5`, `-> 5`. */
function isAllThatIsLeft(goal: string, from: number, passage: QuotedRange, said: string): boolean {
  const rest = goal.slice(closed(goal, from), passage.end);
  return occurrencesOf(rest, said).some(({ start, end }) => {
    const between = rest.slice(0, start);
    const isWord = /^\s+[\p{L}\p{M}]+\s+$/u.test(between);
    return (SIGN.test(between) || isWord) && isEndOf(rest.slice(end), 0);
  });
}

function isBlockBehind(goal: string, from: number, passage: QuotedRange, said: string): boolean {
  const lines = goalLinesOf(goal);
  const block = blockBehind(lines, goalLineAt(lines, from));
  if (!block) return false;
  const isAsked =
    passage.end >= block.end ||
    goal.slice(passage.end, block.start).trim() === '' ||
    isFence(goal.slice(passage.end, block.start));
  return isAsked && sameLines(goal.slice(block.start, block.end), said);
}

const isFence = (text: string): boolean => /^\s*(?:```|~~~)[^\n]*\n$/.test(text);

const sameLines = (one: string, other: string): boolean =>
  isDeepStrictEqual(plainLines(one), plainLines(other));

const plainLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '')
    .split('\n');

/** Skips the mark that closes a quoted input. */
const closed = (goal: string, from: number): number =>
  /["'`”“’»」』]/u.test(goal[from] ?? '') ? from + 1 : from;

const isEndOf = (text: string, words: number): boolean =>
  /^[\p{L}\p{M}\s\p{Terminal_Punctuation}\p{Pe}\p{Pf}]*$/u.test(text) && wordsIn(text) <= words;

/** Uses the rules of the script, because not every script has spaces between words. */
const wordsIn = (text: string): number =>
  [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)].filter(
    ({ isWordLike }) => isWordLike,
  ).length;
