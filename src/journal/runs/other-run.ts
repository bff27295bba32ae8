/** Checks whether the journal in a folder belongs to the run that worked there. It only looks. */

import { TardigradeError } from '../../lib/errors.ts';
import { fileKindAt } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { withFile } from '../../lib/files/with-file.ts';
import { orNull } from '../../lib/or-null.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { shortened } from '../../lib/text/shortened.ts';
import { type Layout, layoutIn } from '../layout.ts';
import { scanFirst } from '../lines/scan.ts';
import type { AnyRecord, JournalFolder, JournalHeader } from '../record-format.ts';
import { readSnapshot, type Snapshot, type SnapshotReading } from '../snapshot.ts';
import { journalOfRun } from './goal-id.ts';

/**
 * The snapshot of a run whose journal is missing from this folder while the journal of `run` is in its place;
 * otherwise `null`. Switching goals leaves a snapshot behind too, but then its journal is among those of other
 * goals.
 */
export function displacedBy<State>(
  fs: FileSystem,
  layout: Layout,
  run: string,
  reading: SnapshotReading<State>,
): Snapshot<State> | null {
  if (reading.kind !== 'ok' || reading.snapshot.run === run) return null;
  const isCurrent = layout.history === layoutIn(layout.root).history;
  const isStored = fileKindAt(fs, journalOfRun(layout, reading.snapshot.run)) !== null;
  return isCurrent && !isStored ? reading.snapshot : null;
}

/** Throws E_JOURNAL_CORRUPT if another run's journal has replaced the one that was there. */
export function refuseOtherRun<R extends AnyRecord>(
  { fs, layout, format }: JournalFolder<R>,
  { id, title }: JournalHeader,
  reading: SnapshotReading<unknown>,
): void {
  const own = displacedBy(fs, layout, id, reading);
  // A reader may look while a runner is switching goals.
  if (own === null || headerThere({ fs, layout, format })?.id !== id) return;
  throw new TardigradeError(
    'E_JOURNAL_CORRUPT',
    `${layout.history} is the journal of another run (${asName(title)}): state.json is of run ${own.run}, ` +
      'whose journal is neither here nor in runs/. Nothing was changed.',
    'Put the journal of that run back; or repair this one, which keeps both and says what is lost.',
    { command: ['repair'] },
  );
}

/** The same for callers that have no journal open. */
export function refuseOtherRunThere<R extends AnyRecord>(place: JournalFolder<R>): void {
  const header = headerThere(place);
  if (header !== null) refuseOtherRun(place, header, readSnapshot(place.fs, place.layout));
}

/** Describes the run whose journal is there now; `null` for `run` itself and for no journal at all. */
export function otherRunThere<R extends AnyRecord>(
  place: JournalFolder<R>,
  run: string,
): string | null {
  return orNull(() => {
    const header = headerThere(place);
    return header === null || header.id === run ? null : asName(header.title);
  });
}

/** The header of the current journal; `null` if none can be read there. */
export function headerThere<R extends AnyRecord>({
  fs,
  layout,
  format,
}: JournalFolder<R>): JournalHeader | null {
  // Opening a pipe would block forever.
  if (fileKindAt(fs, layout.history) !== 'file') return null;
  return withFile(fs, layout.history, (fd) => {
    const { first } = scanFirst(fs, fd, format.parse);
    return first && format.header(first);
  });
}

const asName = (title: string): string =>
  title === '' ? 'without a name' : `"${shortened(oneLine(title), 80)}"`;
