/** Says what a swap of a run's changes does. Pure. */
import { plural } from '../lib/text/figures.ts';
import type { RecordOf } from '../schema/records.ts';

/** `changes withheld: 2 files`; `null` for a swap of no file. */
export function swapWords({ to, files, more }: RecordOf<'swap_started'>): string | null {
  if (files.length === 0) return null;
  const how = to === 'before' ? 'changes withheld' : 'withheld changes applied';
  return `${how}: ${plural(files.length + (more?.count ?? 0), 'file')}`;
}
