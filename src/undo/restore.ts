/**
 * Restores what the tools and commands of a run changed.
 * 1. A file's record is written after the file is durably restored. After a kill at any point, calling it again
 *    finishes the undo and touches no file twice.
 * 2. A file that does not have the content the run last left is left alone and listed.
 * 3. Content that a command left may belong to someone who worked in the meantime, so it is kept before it is
 *    replaced, up to a size.
 * 4. Changes that a crash hid are left alone; the earlier content is offered as a blob.
 * 5. What was not kept is named.
 */

import { defined } from '../lib/defined.ts';
import { storageError } from '../lib/files/durable-files.ts';
import type { Interruptible } from '../lib/interruptible.ts';
import type { JournalRecord } from '../schema/records.ts';
import { contentReader } from '../workspace/before-images/packs.ts';
import { hashIfReadable } from '../workspace/files.ts';
import { bringing } from './bring.ts';
import { currentPlaceOf, type WorkspacePlace } from './folders.ts';
import { isMeantPath } from './named-file.ts';
import { planUndo, type UndoPlan, type UnseenChange } from './plan.ts';
import type { UndoRecord } from './remnants.ts';
import { reportOf, type UndoReport } from './report.ts';
import { blobOf, carryOut } from './step.ts';
import { stepAlone } from './together.ts';

export interface UndoDeps extends WorkspacePlace {
  /** Every relevant record, oldest first, and the remains of others. */
  records(): Iterable<UndoRecord>;
  /** Durable when it returns. */
  append(record: JournalRecord): void;
  /** In a conversation: the seq of the message that is undone. */
  readonly message?: number;
  /** A blob by its sha256; throws if it is missing or damaged. */
  readBlob(hash: string): Uint8Array;
  /** Durable when it returns the sha256. */
  storeBlob(bytes: Uint8Array): string;
}

export interface WritableJournal {
  record(record: JournalRecord): unknown;
  sync(before: 'effect'): void;
  readonly journal: {
    readonly blobs: { read(hash: string): Uint8Array; keep(bytes: Uint8Array): string };
  };
}

/** The ports through which an undo writes to the journal. */
export const undoPorts = (
  to: WritableJournal,
): Pick<UndoDeps, 'append' | 'readBlob' | 'storeBlob'> => ({
  append: (record) => {
    to.record(record);
    to.sync('effect');
  },
  readBlob: (hash) => to.journal.blobs.read(hash),
  storeBlob: (bytes) => {
    const blob = to.journal.blobs.keep(bytes);
    to.sync('effect');
    return blob;
  },
});

/**
 * Throws E_DISK_FULL, E_IO and what the journal throws; calling it again continues. One piece per file.
 * @param only a single file: everything else is left alone and the run is not marked as undone. To the run it
 * looks as if a person had changed the file, and a later undo finds the file restored.
 */
export function* undoing(deps: UndoDeps, only?: string): Interruptible<UndoReport> {
  try {
    const plan = planUndo(deps.records(), deps.readBlob);
    const contents = { ...deps, readBlob: contentReader(plan.manifests, deps.readBlob) };
    return only === undefined
      ? yield* restoreAll(plan, contents)
      : restoreOne(plan, contents, only);
  } catch (error) {
    throw storageError(error, `putting ${only ?? 'files'} back in ${deps.workspace}`);
  }
}

function restoreOne(plan: UndoPlan, deps: UndoDeps, path: string): UndoReport {
  if (plan.state === 'finished') return reportOf('already_undone', [], plan);
  const paths = plan.files.map((one) => one.path);
  const isMeant = isMeantPath(path, paths, deps.fs.platform);
  const file = plan.files.find((one) => isMeant(one.path));
  const alone = { ...plan, commands: [] };
  if (file === undefined) return reportOf('nothing_to_undo', [], alone);
  const restored = carryOut(stepAlone(file, plan.files, deps), deps);
  // A note changes no state. The file was replaced atomically, so nothing is lost without the note.
  deps.append({ type: 'note', kind: 'file_put_back', data: { ...restored } });
  return reportOf('undone', [restored], alone);
}

function* restoreAll(plan: UndoPlan, deps: UndoDeps): Interruptible<UndoReport> {
  if (plan.state === 'finished') return reportOf('already_undone', plan.done, plan);
  if (plan.files.length + plan.folders.length + plan.foldersGone.length === 0)
    return withUnseen(reportOf('nothing_to_undo', [], plan), plan, deps);
  if (plan.state === 'not_begun') {
    const files = plan.files.map((file) => file.path);
    deps.append({ type: 'undo_started', files, ...defined({ message: deps.message }) });
  }
  const done = new Set(plan.done.map(({ path }) => path));
  const brought = yield* bringing(plan, done, deps, ({ isAsBefore: _, ...restored }) =>
    deps.append({ type: 'file_restored', ...restored }),
  );
  const undone = withUnseen(reportOf('undone', [...plan.done, ...brought.files], plan), plan, deps);
  deps.append({ type: 'undo_finished' });
  return {
    ...undone,
    restored: [...undone.restored, ...brought.foldersBack.map((path) => `${path}/`)],
    foldersRemoved: brought.foldersRemoved,
    foldersLeft: brought.foldersLeft,
  };
}

/** Invariant 4. */
function withUnseen(before: UndoReport, plan: UndoPlan, deps: UndoDeps): UndoReport {
  const isPlanned = new Set(plan.files.map(({ path }) => path));
  const open = plan.unseen.filter(({ path }) => !isPlanned.has(path));
  const leftAlone = open.flatMap((change) => {
    const why = whyUnseen(change, deps);
    return why === null ? [] : [{ path: change.path, why }];
  });
  return { ...before, leftAlone: [...before.leftAlone, ...leftAlone] };
}

function whyUnseen({ path, before }: UnseenChange, deps: UndoDeps): string | null {
  const place = currentPlaceOf(path, deps);
  const current = place === null ? null : hashIfReadable(deps.fs, place);
  if (current === before) return null;
  if (before === null) return 'it appeared while nobody watched';
  const bytes = blobOf(before, deps);
  const where = bytes === null ? 'is missing in the blobs' : `is in blobs/${deps.storeBlob(bytes)}`;
  return `it changed while nobody watched, and nobody knows by whom; what it held ${where}`;
}
