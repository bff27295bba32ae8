/** What a run changed, for people: read from its before-images and the files as they are. */
import { usableLayout } from '../journal/layout.ts';
import type { Machine } from '../run/machine.ts';
import { blobReader } from '../undo/copies.ts';
import { differencesOf, type FileDifference } from '../undo/differences.ts';
import type { UndoSelection } from './engine-port.ts';
import { layoutOfRun } from './run-place.ts';
import { sourceOf } from './undo.ts';

/** `null` without a run. Takes no lock. Throws E_USAGE, E_JOURNAL_MISSING, E_JOURNAL_CORRUPT. */
export function changesOf(
  machine: Pick<Machine, 'fs'>,
  folder: string,
  { run, file }: UndoSelection,
  copies: string | null = null,
): Iterable<FileDifference> | null {
  const { fs } = machine;
  const workspace = fs.realpath(folder);
  const layout = layoutOfRun(fs, usableLayout(fs, workspace), run);
  const source = sourceOf(machine, layout);
  if (source === null) return null;
  const where = copies === null ? null : { fs, root: copies, workspace };
  const readBlob = blobReader(fs, layout, where);
  return differencesOf({ fs, workspace, readBlob }, source.records, file);
}
