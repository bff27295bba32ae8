/** Counts the lines that a change adds and removes. A moved line is neither. Pure. */
import type { Interruptible } from '../../lib/interruptible.ts';
import { decodeText } from '../../workspace/text-encoding.ts';

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

const LINES_IN_PIECE = 50_000;

/** Counts in pieces; `null` if one of the contents is not text. @param before `null`: there was no file */
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
  const left = new Map<string, number>();
  for (const [index, line] of was.entries()) {
    left.set(line, (left.get(line) ?? 0) + 1);
    if (index % LINES_IN_PIECE === 0) yield;
  }
  let kept = 0;
  for (const [index, line] of is.entries()) {
    if (index % LINES_IN_PIECE === 0) yield;
    const count = left.get(line) ?? 0;
    if (count === 0) continue;
    left.set(line, count - 1);
    kept += 1;
  }
  return { added: is.length - kept, removed: was.length - kept };
}
