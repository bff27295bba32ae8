/**
 * Shortens a program's output for the model: its beginning, its end, and the lines between that report errors.
 * Pure.
 */
import { isFailureLine } from '../../languages/testing/test-output.ts';
import { searchRows } from '../search/rows.ts';
import { truncateMiddle } from '../truncate.ts';

/** The share of the room for the beginning; the rest goes to the end, where most programs report what matters. */
const HEAD = 0.25;
const TELLING = 0.35;
/** A longer text is not searched for informative lines. */
const MAX_LOOKED_THROUGH = 2 * 1024 * 1024;
/** Characters of one informative line. */
const MAX_OF_A_LINE = 400;
/** The most characters of a mark for omitted rows. */
const MARK = 40;

/** @param readOn how to read on from a row number, counted from 1, in words; empty if that is not possible */
export function cutOutput(
  text: string,
  maxChars: number,
  readOn: (from: number) => string = () => '',
): string {
  if (text.length <= maxChars) return text;
  const rows = searchRows(text);
  const room = maxChars - MARK - readOn(rows.length).length;
  const head = countThatFit(rows, room * HEAD);
  const telling =
    head === 0 || text.length > MAX_LOOKED_THROUGH
      ? []
      : informativeRows(rows, head, room * TELLING);
  const used = sizeOf(telling.map(({ line }) => line)) + telling.length * MARK;
  const left = room - sizeOf(rows.slice(0, head)) - used;
  const tail = rows.length - countThatFit(rows.toReversed(), left);
  const between = telling.filter(({ at }) => at < tail);
  // Nothing informative lies between, or there are no lines to choose from.
  if (between.length === 0 || tail === rows.length)
    return truncateMiddle(text, maxChars, (at) => readOn(rowAt(text, at)));
  const parts: string[] = rows.slice(0, head).concat();
  let next = head;
  for (const { at, line } of [...between, { at: tail, line: null }]) {
    const note = next === head ? readOn(next + 1) : '';
    if (at > next) parts.push(mark(at - next, note));
    if (line !== null) parts.push(line);
    next = at + 1;
  }
  return [...parts, ...rows.slice(tail)].join('\n');
}

/** The first row that is incomplete when a text is cut off there. */
const rowAt = (text: string, at: number): number =>
  searchRows(text.slice(0, at)).length + (text[at] === '\n' ? 1 : 0);

const mark = (rows: number, note: string): string =>
  `[... ${rows} lines left out${note === '' ? '' : `; ${note}`} ...]`;

const sizeOf = (rows: readonly string[]): number =>
  rows.reduce((sum, row) => sum + row.length + 1, 0);

function countThatFit(rows: readonly string[], room: number): number {
  let left = room;
  let count = 0;
  for (const row of rows) {
    left -= row.length + 1;
    if (left < 0) break;
    count += 1;
  }
  return count;
}

/** The first informative rows, each once, as far as there is room. */
function informativeRows(
  rows: readonly string[],
  from: number,
  room: number,
): readonly { readonly at: number; readonly line: string }[] {
  const found: { readonly at: number; readonly line: string }[] = [];
  const seen = new Set<string>();
  let left = room;
  for (let at = from; at < rows.length; at += 1) {
    const row = rows[at] ?? '';
    if (seen.has(row) || !isFailureLine(row)) continue;
    const line = row.length > MAX_OF_A_LINE ? `${row.slice(0, MAX_OF_A_LINE)}…` : row;
    left -= line.length + 1 + MARK;
    if (left < 0) break;
    seen.add(row);
    found.push({ at, line });
  }
  return found;
}
