/** Pure: how many lines a change adds and removes. */
import { type Interruptible, runSync } from '../../lib/interruptible.ts';
import { decodeText } from '../../workspace/text-encoding.ts';

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Beyond it two texts have so little in common that their lines are counted without regard to order. */
const MAX_EDITS = 1000;

/** `null` where one of the two is no text. @param before `null`: there was no file */
export const lineCounts = (before: Uint8Array | null, after: Uint8Array): LineCounts | null =>
  runSync(countingLines(before, after));

const LINES_IN_PIECE = 50_000;
const EDITS_IN_PIECE = 100;

/** The same in pieces. */
export function* countingLines(
  before: Uint8Array | null,
  after: Uint8Array,
): Interruptible<LineCounts | null> {
  const was = linesOf(before ?? new Uint8Array());
  yield;
  const is = linesOf(after);
  yield;
  return was && is ? yield* countsOf(was, is) : null;
}

function linesOf(bytes: Uint8Array): readonly string[] | null {
  const decoded = decodeText(bytes);
  if (decoded.kind !== 'text') return null;
  const lines = decoded.text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function* countsOf(was: readonly string[], is: readonly string[]): Interruptible<LineCounts> {
  let start = 0;
  while (start < was.length && start < is.length && was[start] === is[start]) start += 1;
  let end = 0;
  const most = Math.min(was.length, is.length) - start;
  while (end < most && was.at(-1 - end) === is.at(-1 - end)) end += 1;
  const [left, right] = [was.slice(start, was.length - end), is.slice(start, is.length - end)];
  if (left.length === 0 || right.length === 0) return { added: right.length, removed: left.length };
  yield;
  const edits = yield* editsBetween(left, right);
  if (edits === null) return yield* withoutOrder(left, right);
  const more = right.length - left.length;
  return { added: (edits + more) / 2, removed: (edits - more) / 2 };
}

/**
 * The fewest lines to take out and put in that make one of the other, by the furthest reach on each
 * diagonal (Myers 1986); `null` beyond `MAX_EDITS`.
 */
function* editsBetween(
  left: readonly string[],
  right: readonly string[],
): Interruptible<number | null> {
  const reach = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= MAX_EDITS; edits += 1) {
    if (edits % EDITS_IN_PIECE === 0) yield;
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const [above, beside] = [reach.get(diagonal + 1) ?? -1, reach.get(diagonal - 1) ?? -1];
      let x = diagonal === -edits || (diagonal !== edits && beside < above) ? above : beside + 1;
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal])
        x += 1;
      reach.set(diagonal, x);
      if (x >= left.length && x - diagonal >= right.length) return edits;
    }
  }
  return null;
}

function* withoutOrder(
  left: readonly string[],
  right: readonly string[],
): Interruptible<LineCounts> {
  const counts = new Map<string, number>();
  for (const [index, line] of left.entries()) {
    counts.set(line, (counts.get(line) ?? 0) + 1);
    if (index % LINES_IN_PIECE === 0) yield;
  }
  let kept = 0;
  for (const [index, line] of right.entries()) {
    if (index % LINES_IN_PIECE === 0) yield;
    const count = counts.get(line) ?? 0;
    if (count === 0) continue;
    counts.set(line, count - 1);
    kept += 1;
  }
  return { added: right.length - kept, removed: left.length - kept };
}
