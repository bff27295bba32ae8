/** Formats the change of a file: as counts, and as lines. */
import { visible } from '../../../lib/text/visible.ts';
import type { Patch } from '../../../undo/patch.ts';
import type { Style } from '../text/style.ts';

/** `+18`, `+3 -1`, `18 lines` for a new file; '' if nothing was counted. */
export function countText({ kind, lines }: Pick<Patch, 'kind' | 'lines'>): string {
  if (lines === null) return '';
  const { added, removed } = lines;
  if (kind === 'new') return `${added} ${added === 1 ? 'line' : 'lines'}`;
  return [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`-${removed}`] : [])].join(' ');
}

/** `calc.mjs (changed, +3 -1)`. */
export function patchHead(patch: Patch): string {
  const words = countText(patch);
  return `${visible(patch.path)} (${patch.kind}${words === '' ? '' : `, ${words}`})`;
}

/** A line of a file, in which nothing is hidden or reordered; a carriage return at its end is not shown. */
export const formatPatchLine = (line: string): string =>
  line.replace(/\r$/, '').split('\t').map(visible).join('  ');

export function bounded(patch: Patch, most: number): Patch {
  let left = most;
  const hunks = patch.hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, Math.max(0, left));
    left -= hunk.lines.length;
    return lines.length === 0 ? [] : [{ ...hunk, lines }];
  });
  return { ...patch, hunks };
}

/** Each change with the lines around it, in colour. */
export const hunkLines = ({ hunks }: Pick<Patch, 'hunks'>, { paint }: Style): readonly string[] =>
  hunks.flatMap(({ head, lines }) => [
    paint('dim', head),
    ...lines.map((line) => paint(toneOf(line), formatPatchLine(line))),
  ]);

const toneOf = (line: string): 'good' | 'bad' | 'plain' =>
  line.startsWith('+') ? 'good' : line.startsWith('-') ? 'bad' : 'plain';
