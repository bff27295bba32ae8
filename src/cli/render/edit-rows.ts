/** The lines of files that a call has just changed, folded. */
import type { FileDifference } from '../../undo/differences.ts';
import { patchOf } from '../../undo/patch.ts';
import { bounded, formatPatchLine, patchHead } from './ending/patch.ts';
import { cutEnd } from './text/cells.ts';
import { fill } from './text/fold.ts';
import type { Style, Tone } from './text/style.ts';
import { inLine, plural } from './text/text.ts';

/** The most lines of one file. */
const MAX_LINES = 12;
const INDENT = '  ';
const HANG = 4;

export interface EditLook {
  /** The command that shows all lines of a file. */
  whole(path: string): string;
  /** True if the rows begin with the name of the file, because no line above has it. */
  readonly hasHead: boolean;
}

/** Rows that fit the width; none if no line can be shown. */
export async function editRows(
  difference: FileDifference,
  width: number,
  { paint, glyphs }: Style,
  { whole, hasHead }: EditLook,
): Promise<readonly string[]> {
  const patch = await patchOf(difference);
  const head = hasHead ? [paint('plain', cutEnd(patchHead(patch), width, glyphs.ellipsis))] : [];
  if (patch.problem !== '') return [...head, paint('dim', `${INDENT}${patch.problem}`)];
  const rowOf = (line: string, tone: Tone): string =>
    paint(tone, cutEnd(`${INDENT}${formatPatchLine(line)}`, width, glyphs.ellipsis));
  const all = patch.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  const shown = bounded(patch, MAX_LINES).hunks;
  const left = all - shown.reduce((sum, { lines }) => sum + lines.length, 0);
  // A new file is one hunk without context lines.
  const isNew = patch.kind === 'new';
  const lines = shown.flatMap(({ head, lines }) => [
    ...(isNew ? [] : [rowOf(head, 'dim')]),
    ...lines.map((line) => rowOf(line, toneOf(line))),
  ]);
  if (left === 0) return [...head, ...lines];
  const rest = `${INDENT}${glyphs.ellipsis} ${plural(left, 'more line')}: ${whole(inLine(patch.path))}`;
  return [...head, ...lines, ...fill(rest, width, HANG).map((row) => paint('dim', row))];
}

export const toneOf = (line: string): Tone =>
  line.startsWith('+') ? 'good' : line.startsWith('-') ? 'bad' : 'dim';
