/** What a call changed in files, at the moment it did: its lines, folded. */
import type { FileDifference } from '../../undo/differences.ts';
import { patchOf } from '../../undo/patch.ts';
import { bounded, formatPatchLine, patchHead } from './ending/patch.ts';
import { cutEnd } from './text/cells.ts';
import { fill } from './text/fold.ts';
import type { Style, Tone } from './text/style.ts';
import { inLine, plural } from './text/text.ts';

/** Lines of one file. */
const MOST_LINES = 12;
const INDENT = '  ';
const HANG = 4;

export interface EditLook {
  /** What shows all lines of a file. */
  whole(path: string): string;
  /** True where no line above names the file. */
  readonly hasHead: boolean;
}

/** Rows that each fit the width; none where no line can be shown. */
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
  const shown = bounded(patch, MOST_LINES).hunks;
  const left = all - shown.reduce((sum, { lines }) => sum + lines.length, 0);
  // Of a new file there is one place, and nothing around it.
  const isNew = patch.kind === 'new';
  const lines = shown.flatMap(({ head, lines }) => [
    ...(isNew ? [] : [rowOf(head, 'dim')]),
    ...lines.map((line) => rowOf(line, toneOf(line))),
  ]);
  if (left === 0) return [...head, ...lines];
  const rest = `${INDENT}${glyphs.ellipsis} ${plural(left, 'more line')}: ${whole(inLine(patch.path))}`;
  return [...head, ...lines, ...fill(rest, width, HANG).map((row) => paint('dim', row))];
}

const toneOf = (line: string): Tone =>
  line.startsWith('+') ? 'good' : line.startsWith('-') ? 'bad' : 'dim';
