/** Undoes a run by its journal, or by the copies outside of the workspace. */
import type { Accept } from '../../context-manager/origin.ts';
import { createBlobStore } from '../../journal/blobs/blobs.ts';
import { type Layout, layoutOf, usableLayout } from '../../journal/layout.ts';
import { refuseWhenLost } from '../../journal/removed/lost-journal.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { fileKindAt, withStorageErrors } from '../../lib/files/durable-files.ts';
import { runSync } from '../../lib/interruptible.ts';
import type { Machine } from '../../run/machine.ts';
import type { FileChange } from '../../schema/actions.ts';
import type { Adoption } from '../../schema/journal/origin.ts';
import { beforeImagesOf } from '../../undo/before-image-ports.ts';
import {
  blobReader,
  type CopiesPlace,
  copiesPreview,
  hasCopies,
  markUndone,
  undoFromCopies,
} from '../../undo/copies.ts';
import { differenceMade, differencesOf, type FileDifference } from '../../undo/differences.ts';
import { planUndo } from '../../undo/plan.ts';
import { previewOf, type UndoPreview } from '../../undo/preview.ts';
import { readForUndo, type UndoSource } from '../../undo/records.ts';
import type { UndoRecord } from '../../undo/remnants.ts';
import type { UndoReport } from '../../undo/report.ts';
import { undoing, undoPorts } from '../../undo/restore.ts';
import type { UndoRequest, UndoSelection } from '../engine-port.ts';
import { finishSwap } from './apply.ts';
import { hashIn } from './origin.ts';
import { layoutOfRun, underLock } from './run-place.ts';
import { noRun, type OpenJournal, withJournal } from './with-journal.ts';

/** The changes of a run or conversation that is not open. Each method throws what its journal and the disk throw. */
export interface Changed {
  /** What an undo would do; `null` if nothing is stored. Changes nothing. */
  plan(selection: UndoSelection): UndoPreview | null;
  /** What was changed and is not restored; `null` if nothing is stored. Takes no lock. */
  differences(selection: UndoSelection): Iterable<FileDifference> | null;
  /** Throws E_LOCKED and E_FOREIGN, too. Calling it again continues. */
  undo(request: UndoRequest): UndoReport | Promise<UndoReport>;
}

/** A folder, and the place of the copies outside of it; `null`: no copies are looked for. */
interface RunsPlace {
  readonly machine: Machine;
  readonly workspace: string;
  readonly backupFolder: string | null;
  readonly accept: Accept;
}

export const changedPort = ({ machine, workspace, accept, backupFolder }: RunsPlace): Changed => ({
  plan: (selection) => undoPlan(machine, workspace, accept, selection, backupFolder),
  differences: (selection) => changesOf(machine, workspace, selection, backupFolder),
  undo: (request) => undoChanges(machine, request, accept, backupFolder),
});

/** Throws E_USAGE, E_JOURNAL_MISSING, E_JOURNAL_CORRUPT. */
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
  return differencesOf(
    { fs, workspace, readBlob: blobReader(fs, layout, where) },
    source.records,
    file,
  );
}

/** What a call of the current run changed in a file; `null` if the file has changed again. */
export function changeMadeIn(
  { fs }: Pick<Machine, 'fs'>,
  folder: string,
  change: FileChange,
): FileDifference | null {
  const workspace = fs.realpath(folder);
  const layout = usableLayout(fs, workspace);
  return differenceMade(change, { fs, workspace, readBlob: blobReader(fs, layout, null) });
}

/**
 * What an undo of a run, or of one of its files, would do; `null` without a run. Changes nothing. Throws
 * E_JOURNAL_MISSING, E_FOREIGN, and E_JOURNAL_CORRUPT for damage that no repair has examined.
 */
export function undoPlan(
  machine: Machine,
  folder: string,
  accept: Accept = believeAll,
  { run, file: only }: UndoSelection = {},
  copies: string | null = null,
): UndoPreview | null {
  const { fs } = machine;
  const workspace = fs.realpath(folder);
  const layout = layoutOfRun(fs, usableLayout(fs, workspace), run);
  const where = copies === null || run !== undefined ? null : { fs, root: copies, workspace };
  const source = sourceOrCopies(machine, layout, where);
  if (source === null) return where === null ? null : copiesPreview(where, only);
  const { records, damage } = source;
  const opened = records.find((record) => record.type === 'run_opened');
  const adopted = records.flatMap(adoptionIn).at(-1);
  // If the first record is lost, the owner is unknown; the person then sees beforehand what is restored.
  if (opened) accept({ ...opened, adopted }, hashIn(fs, layout));
  const goal = opened?.type === 'run_opened' ? opened.goal : 'a goal that cannot be read any more';
  const readBlob = blobReader(fs, layout, where);
  const plan = planUndo(records, readBlob);
  const preview = previewOf(plan, { goal, only }, { fs, workspace, readBlob });
  return damage === undefined ? preview : { ...preview, isAsBefore: false, damage };
}

/** `null` if there is no journal, or if it is lost and copies hold what it would say. */
function sourceOrCopies(
  machine: Machine,
  layout: Layout,
  where: CopiesPlace | null,
): UndoSource | null {
  try {
    return sourceOf(machine, layout);
  } catch (error) {
    const isLost = error instanceof TardigradeError && error.code === 'E_JOURNAL_MISSING';
    if (isLost && where !== null && hasCopies(where)) return null;
    throw error;
  }
}

function sourceOf({ fs }: Pick<Machine, 'fs'>, layout: Layout): UndoSource | null {
  return withStorageErrors(`reading ${layout.root}`, () => {
    if (fileKindAt(fs, layout.history) === null) refuseWhenLost(fs, layout);
    return readForUndo({ fs, layout });
  });
}

/** Throws E_LOCKED, E_FOREIGN, and what the journal and the disk throw. Calling it again continues. */
export function undoChanges(
  machine: Machine,
  request: UndoRequest,
  accept: Accept = believeAll,
  copies: string | null = null,
): UndoReport {
  const { fs, clock } = machine;
  const { run, file } = request;
  const workspace = fs.realpath(request.workspace);
  const all = layoutOf(workspace);
  return underLock(machine, all, request, () => {
    finishSwap(machine, workspace, accept);
    const layout = layoutOfRun(fs, all, run);
    const where = copies === null ? null : { fs, root: copies, workspace };
    const instead = run === undefined ? where : null;
    const place = { workspace, layout, accept, where };
    const before = sourceOrCopies(machine, layout, instead);
    if (before?.hasJournal) recordUnseen(machine, place);
    const source = before?.hasJournal ? sourceOrCopies(machine, layout, instead) : before;
    if (source === null) {
      const report = instead === null ? null : undoFromCopies(clock.now(), instead, file);
      if (report === null) throw noRun();
      return report;
    }
    const report = source.hasJournal
      ? undoJournalled(machine, place, source, request)
      : undoUnrecorded(machine, place, source, request);
    return source.damage === undefined ? report : { ...report, damage: source.damage };
  });
}

/** One run, and where its journal is now. */
interface UndoTarget {
  /** Absolute real path. */
  readonly workspace: string;
  readonly layout: Layout;
  readonly accept: Accept;
  readonly where: CopiesPlace | null;
}

/**
 * The adoption in a record. A record that was not read in its place gives none: what precedes it is unknown.
 */
const adoptionIn = (record: UndoRecord & { readonly offset?: number }): readonly Adoption[] => {
  if (record.type !== 'adopted' || record.offset === undefined) return [];
  const { base, mac, offset } = record;
  return [{ base, mac, offset }];
};

/** For a caller that takes responsibility for the folder. */
const believeAll: Accept = () => {};

/** Changes by a command that was interrupted are recorded before anything is restored, as at a resume. */
function recordUnseen(machine: Machine, place: UndoTarget): void {
  withJournal(machine, place, (opened) => {
    const { state } = opened;
    if (state.undo !== null || state.ended !== null) return;
    const { fs, clock } = machine;
    const beforeImages = beforeImagesOf({
      context: opened,
      workspace: place.workspace,
      fs,
      clock,
      emit: () => {},
    });
    const isCommand = ({ class: of }: { class: string }) => of === 'command' || of === 'check';
    for (const { id } of Object.values(state.intents).filter(isCommand))
      beforeImages.recordUnseen(id);
  });
}

function undoJournalled(
  machine: Machine,
  place: UndoTarget,
  { records }: UndoSource,
  { file, onRecord }: UndoRequest,
): UndoReport {
  const work = (opened: OpenJournal): UndoReport => {
    const { workspace, layout, where } = place;
    const { fs } = machine;
    const ports = undoPorts(opened);
    const readBlob = blobReader(fs, layout, where);
    const deps = { ...ports, readBlob, fs, workspace, records: () => records };
    const report = runSync(undoing(deps, file));
    const isWhole = file === undefined && report.outcome !== 'nothing_to_undo';
    if (isWhole && where !== null) markUndone(where, opened.journal.run);
    return report;
  };
  return withJournal(machine, place, work, onRecord);
}

/** Undoes a run whose journal was set aside as a whole. A second call finds every file restored. */
function undoUnrecorded(
  { fs }: Machine,
  { workspace, layout, where }: UndoTarget,
  { records }: UndoSource,
  { file }: UndoRequest,
): UndoReport {
  const blobs = createBlobStore(fs, layout.blobs);
  const ports = undoPorts({ journal: { blobs }, record: () => {}, sync: () => blobs.sync() });
  const readBlob = blobReader(fs, layout, where);
  return runSync(undoing({ ...ports, readBlob, fs, workspace, records: () => records }, file));
}
