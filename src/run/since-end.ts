/**
 * Compares the folder with what a finished run left there. It only reads files: it runs, changes and records
 * nothing.
 */
import { eachOf } from '../evidence/reading.ts';
import type { Interruptible } from '../lib/interruptible.ts';
import type { SinceEnd } from '../schema/events/result-parts.ts';
import type { JournalRecord } from '../schema/records.ts';
import { currentPlaceOf } from '../undo/folders.ts';
import { leftIn, type UndoFile, type UndoPlan, undoPlanner } from '../undo/plan.ts';
import { hashingIfReadable, infoOf } from '../workspace/files.ts';
import { type RecordSource, recordsOf } from './records-of.ts';

/** Long texts of other records are not read. */
const TYPES = [
  ...(['action_intended', 'action_finished', 'files_kept', 'files_changed'] as const),
  ...(['bytes_unreadable', 'bytes_set_aside'] as const),
];

/** Throws E_JOURNAL_CORRUPT when a text of the journal is missing. */
export function* lookingSinceEnd(place: RecordSource): Interruptible<SinceEnd> {
  const { plan, isComplete } = yield* planOf(place);
  const files = plan.files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const differs: SinceEnd['differs'] = [];
  let compared = 0;
  for (const file of files) {
    const found = yield* comparing(file, plan, place);
    if (found === null) continue;
    compared += 1;
    if (found !== 'same') differs.push({ path: file.path, is: found });
  }
  const listed = new Set(files.map(({ path }) => path));
  const notCompared = plan.uncovered.map(({ path }) => path).filter((path) => !listed.has(path));
  return { isComplete, compared, differs, notCompared: notCompared.toSorted() };
}

/** What the run wrote, as far as its journal can be read. */
function* planOf(place: RecordSource): Interruptible<{ plan: UndoPlan; isComplete: boolean }> {
  let isComplete = true;
  const { blobs } = place.context.journal;
  const planner = undoPlanner((hash) => blobs.read(hash));
  yield* eachOf(
    () => recordsOf(place, TYPES),
    (record) => {
      planner.take(seen(record));
      isComplete &&= record.type !== 'bytes_unreadable' && record.type !== 'bytes_set_aside';
    },
  );
  return { plan: planner.plan(), isComplete };
}

/** Changes found after a crash were present when the run ended, whoever made them. */
const seen = (record: JournalRecord): JournalRecord =>
  record.type === 'files_changed' && record.by === 'unknown'
    ? { ...record, by: 'command' }
    : record;

/** `null` if the run never wrote the file. */
function* comparing(
  file: UndoFile,
  { folders }: UndoPlan,
  { fs, workspace }: RecordSource,
): Interruptible<'same' | SinceEnd['differs'][number]['is'] | null> {
  const { path } = file;
  const absolute = currentPlaceOf(path, { fs, workspace });
  if (absolute === null) return 'unknown';
  const current = yield* hashingIfReadable(fs, absolute);
  if (current === 'unreadable') return 'unknown';
  const left = leftIn(file, current);
  if (left === undefined) return null;
  // Something other than a file is there; the run may have made a folder of that name.
  const isOther = current === null && infoOf(fs, absolute) !== null && !folders.includes(path);
  if (isOther) return left === null ? 'made' : 'changed';
  if (left === current) return 'same';
  if (current === null) return 'removed';
  return left === null ? 'made' : 'changed';
}
