/** Exact replacement regardless of line endings. Pure. */
import type { Interruptible } from '../../lib/interruptible.ts';

export type Replaced =
  | { readonly kind: 'replaced'; readonly text: string; readonly count: number }
  | { readonly kind: 'missing' }
  /** How often it was found, and the line numbers of the first occurrences, from 1. */
  | { readonly kind: 'ambiguous'; readonly count: number; readonly lines: readonly number[] }
  | { readonly kind: 'too_long'; readonly count: number; readonly length: number };

const LINES_SAID = 10;

export interface Replacing {
  /** Replaces every occurrence; otherwise there may be only one. */
  readonly all: boolean;
  /** Whether that many characters are more than a text may have. */
  isTooLong(length: number): boolean;
}

const PLACES_IN_PIECE = 50_000;

/**
 * Replaces `oldText` in `text`. Both are compared with `\n` as the line ending. Inserted text gets the ending
 * used at its place, and every byte outside the match stays. In pieces, because a letter may occur millions of times.
 */
export function* replacing(
  text: string,
  oldText: string,
  newText: string,
  { all, isTooLong }: Replacing,
): Interruptible<Replaced> {
  const flat = yield* flatten(text);
  const wanted = oldText.replaceAll('\r\n', '\n');
  const starts = yield* occurrences(flat.text, wanted);
  if (starts.length === 0) return { kind: 'missing' };
  const count = starts.length;
  if (count > 1 && !all) {
    const lines = linesAt(flat.text, starts.slice(0, LINES_SAID));
    return { kind: 'ambiguous', count, lines };
  }
  const length = text.length + count * (newText.length - wanted.length);
  if (isTooLong(length)) return { kind: 'too_long', count, length };
  const endingAt = endingsOf(text);
  let made = '';
  let parts: string[] = [];
  let done = 0;
  for (const [index, start] of starts.entries()) {
    const from = flat.original(start);
    const to = flat.original(start + wanted.length);
    parts.push(text.slice(done, from), withLineEnding(newText, endingAt(from, to)));
    done = to;
    if ((index + 1) % PLACES_IN_PIECE !== 0) continue;
    made += parts.join('');
    parts = [];
    yield;
  }
  return { kind: 'replaced', text: made + parts.join('') + text.slice(done), count };
}

interface Flat {
  readonly text: string;
  /** The position in the original text for a position in the flattened one. */
  original(position: number): number;
}

function* flatten(text: string): Interruptible<Flat> {
  if (!text.includes('\r\n')) return { text, original: (position) => position };
  const endings = yield* occurrences(text, '\r\n');
  let flat = text.slice(0, endings[0]);
  for (let from = 0; from < endings.length; from += PLACES_IN_PIECE) {
    const piece = text.slice(endings[from], endings[from + PLACES_IN_PIECE]);
    flat += piece.replaceAll('\r\n', '\n');
    yield;
  }
  const dropped = endings.map((at, index) => at - index);
  return {
    text: flat,
    original: (position) => position + countBelow(dropped, position),
  };
}

/** How many of the ascending numbers are smaller than `limit`. */
function countBelow(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* occurrences(text: string, wanted: string): Interruptible<readonly number[]> {
  const starts: number[] = [];
  if (wanted === '') return starts;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    starts.push(at);
    if (starts.length % PLACES_IN_PIECE === 0) yield;
  }
  return starts;
}

/** From 1, in one pass over the text. */
function linesAt(text: string, ascending: readonly number[]): readonly number[] {
  let line = 1;
  let next = text.indexOf('\n');
  return ascending.map((position) => {
    for (; next >= 0 && next < position; next = text.indexOf('\n', next + 1)) line += 1;
    return line;
  });
}

type Ending = '\r\n' | '\n';

/**
 * The ending of the first line inside a match, otherwise of the line around it. For successive matches, no part
 * of the text is examined twice.
 */
function endingsOf(text: string): (from: number, to: number) => Ending {
  const isPlain = !text.includes('\r\n');
  const last = text.lastIndexOf('\n');
  let next = -1;
  return (from) => {
    if (isPlain) return '\n';
    if (next < from && last >= from) next = text.indexOf('\n', from);
    const newline = last >= from ? next : last;
    return newline > 0 && text[newline - 1] === '\r' ? '\r\n' : '\n';
  };
}

export const isMostlyWindows = (text: string): boolean =>
  text.split('\r\n').length * 2 > text.split('\n').length + 1;

export const withLineEnding = (text: string, ending: Ending): string =>
  text.replaceAll('\r\n', '\n').replaceAll('\n', ending);
