/** What a call changed in files, at the moment it did: its lines, folded. */
import type { FileDifference } from '../../undo/differences.ts';
import { patchOf } from '../../undo/patch.ts';
import { cutEnd } from '../render/cells.ts';
import { bounded, formatPatchLine } from '../render/patch.ts';
import type { Style, Tone } from '../render/style.ts';
import { plural } from '../render/text.ts';

/** Lines of one file; `/diff` has them all. */
const MOST_LINES = 12;
const INDENT = '  ';

/** Rows that each fit the width; none where no line can be shown. */
export async function editRows(
  difference: FileDifference,
  width: number,
  { paint, glyphs }: Style,
): Promise<readonly string[]> {
  const patch = await patchOf(difference);
  if (patch.problem !== '') return [paint('dim', `${INDENT}${patch.problem}`)];
  const rowOf = (line: string, tone: Tone): string =>
    paint(tone, cutEnd(`${INDENT}${formatPatchLine(line)}`, width, glyphs.ellipsis));
  const all = patch.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  const shown = bounded(patch, MOST_LINES).hunks;
  const left = all - shown.reduce((sum, { lines }) => sum + lines.length, 0);
  // Of a new file there is one place, and nothing around it.
  const isNew = patch.kind === 'new';
  const rows = shown.flatMap(({ head, lines }) => [
    ...(isNew ? [] : [rowOf(head, 'dim')]),
    ...lines.map((line) => rowOf(line, toneOf(line))),
  ]);
  return left > 0
    ? [...rows, paint('dim', `${INDENT}${glyphs.ellipsis} ${plural(left, 'more line')}: /diff`)]
    : rows;
}

const toneOf = (line: string): Tone =>
  line.startsWith('+') ? 'good' : line.startsWith('-') ? 'bad' : 'dim';
