/** Says where a command's output first differs from what it should have printed. Pure. */

import { editDistance } from '../lib/text/edit-distance.ts';
import { onOneLine } from '../lib/text/one-line.ts';

const MAX_LINE = 120;
/** The most lines among which a similar line is searched for, since that costs far more than a comparison. */
const MAX_SIMILAR = 200;

/** One clause; `null` if there is nothing to compare, or every expected line is there. */
export function firstDifference(output: string, wanted: string): string | null {
  const [expected, printed] = [linesOf(wanted), linesOf(output)];
  const [first] = expected;
  if (first === undefined || printed.length === 0) return null;
  const start = nearest(printed, first);
  const at = expected.findIndex((line, index) => squeeze(line) !== squeeze(printed[start + index]));
  const found = printed[start + at];
  if (at < 0) return null;
  const place = `line ${start + at + 1}`;
  // The message has already quoted a single expected line.
  if (expected.length === 1) return `${place} is ${quoted(found)}`;
  const printedThere = found === undefined ? 'it ended before' : `printed ${quoted(found)}`;
  return `${place}: expected ${quoted(expected[at])}, ${printedThere}`;
}

/** The other value that the command of a call printed; `null`: it printed none. */
export function otherValue(output: string): string | null {
  const last = output.trimEnd().split(/\r?\n/).at(-1) ?? '';
  return last.startsWith('gives ') ? `it ${last}` : null;
}

function nearest(printed: readonly string[], wanted: string): number {
  const same = printed.findIndex((line) => squeeze(line) === squeeze(wanted));
  if (same >= 0) return same;
  const distances = printed
    .slice(0, MAX_SIMILAR)
    .map((line) => editDistance(clip(line), clip(wanted)));
  return distances.indexOf(Math.min(...distances));
}

const linesOf = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split(/\r?\n/)
    .filter((line, index, all) => index < all.length - 1 || line !== '');

const squeeze = (line: string | undefined): string | undefined =>
  line === undefined ? line : onOneLine(line);

const clip = (line: string): string => line.trim().slice(0, MAX_LINE);

const quoted = (line: string | undefined): string => `'${clip(line ?? '')}'`;
