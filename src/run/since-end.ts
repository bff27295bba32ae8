/** Whether the folder is as a run that is over left it. Reads files alone: nothing is run, changed or recorded. */
import { eachOf } from '../evidence/work.ts';
import type { Interruptible } from '../lib/interruptible.ts';
import type { SinceEnd } from '../schema/events/result-parts.ts';
import type { JournalRecord } from '../schema/records.ts';
import { placeOf } from '../undo/folders.ts';
import { leftIn, type UndoFile, type UndoPlan, undoPlanner } from '../undo/plan.ts';
import { hashingIfReadable, infoOf } from '../workspace/files.ts';
import { type RecordSource, recordsOf } from './records-of.ts';

/** Of no other record the long texts are read. */
const TYPES = [
  ...(['action_intended', 'action_finished', 'files_kept', 'files_changed'] as const),
  ...(['bytes_unreadable', 'bytes_set_aside'] as const),
];

/** Throws E_JOURNAL_CORRUPT where a text of the journal is gone. */
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
  const told = new Set(files.map(({ path }) => path));
  const notCompared = plan.uncovered.map(({ path }) => path).filter((path) => !told.has(path));
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

/** What a crash saw change, whoever did it, was there when the run ended. */
const seen = (record: JournalRecord): JournalRecord =>
  record.type === 'files_changed' && record.by === 'unknown'
    ? { ...record, by: 'command' }
    : record;

/** `null` for one that was never written. */
function* comparing(
  file: UndoFile,
  { folders }: UndoPlan,
  { fs, workspace }: RecordSource,
): Interruptible<'same' | SinceEnd['differs'][number]['is'] | null> {
  const { path } = file;
  const absolute = placeOf(path, { fs, workspace });
  if (absolute === null) return 'unknown';
  const current = yield* hashingIfReadable(fs, absolute);
  if (current === 'unreadable') return 'unknown';
  const left = leftIn(file, current);
  if (left === undefined) return null;
  // Something lies there that is no file; the run may have made a folder of it.
  const isOther = current === null && infoOf(fs, absolute) !== null && !folders.includes(path);
  if (isOther) return left === null ? 'made' : 'changed';
  if (left === current) return 'same';
  if (current === null) return 'removed';
  return left === null ? 'made' : 'changed';
}
