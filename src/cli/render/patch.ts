/** What became of a file, as lines: counted, and as a person reads a change. */
import type { Patch } from '../../undo/patch.ts';
import { inLine } from './text.ts';

/** `+18`, `+3 -1`, `18 lines` for a new file; '' where nobody counted. */
export function countText({ kind, lines }: Pick<Patch, 'kind' | 'lines'>): string {
  if (lines === null) return '';
  const { added, removed } = lines;
  if (kind === 'new') return `${added} ${added === 1 ? 'line' : 'lines'}`;
  return [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`-${removed}`] : [])].join(' ');
}

/** A line of a file as it may stand on a terminal; the end that an editor on Windows writes is not shown. */
export const shownLine = (line: string): string => inLine(line.replace(/\r$/, ''));
