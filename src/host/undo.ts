import { RUN_FOLD, runPorts } from '../context-manager/open-or-create.ts';
import type { Accept } from '../context-manager/origin.ts';
import { createBlobStore } from '../journal/blobs.ts';
import { type Layout, layoutOf, usableLayout } from '../journal/layout.ts';
import { refuseWhenLost } from '../journal/lost-journal.ts';
import { openJournal } from '../journal/recover.ts';
import { kindOf, storageError } from '../lib/durable-files.ts';
import { TardigradeError } from '../lib/errors.ts';
import { keeperOf } from '../run/keeper-of.ts';
import type { Machine } from '../run/machine.ts';
import type { Adoption } from '../schema/origin.ts';
import type { JournalRecord } from '../schema/records.ts';
import { placeOf } from '../undo/folders.ts';
import { planUndo, targetFor, type UndoFile } from '../undo/plan.ts';
import type { UndoRecord } from '../undo/record.ts';
import { readForUndo, type UndoSource } from '../undo/records.ts';
import { type UndoDeps, undoRun } from '../undo/restore.ts';
import { undoFile } from '../undo/restore-file.ts';
import { hashIfReadable } from '../workspace/files.ts';
import type { UndoPlan, UndoReport, UndoRequest, UndoWish } from './engine-port.ts';
import { hashIn } from './origin.ts';
import { layoutOfRun, underLock } from './run-place.ts';
import { blobReader, type KeptWhere, keptPlan, markUndone, undoKept } from './undo-kept.ts';

/**
 * What an undo of a run, or of one of its files, would do; `null` without a run. Changes nothing. Throws
 * E_JOURNAL_MISSING, E_FOREIGN, and E_JOURNAL_CORRUPT for damage that no repair has looked at.
 */
export function undoPlan(
  machine: Machine,
  workspace: string,
  accept: Accept = believeAll,
  { run, file: only }: UndoWish = {},
  copies: string | null = null,
): UndoPlan | null {
  const { fs } = machine;
  const real = fs.realpath(workspace);
  const layout = layoutOfRun(fs, usableLayout(fs, real), run);
  const where = copies === null || run !== undefined ? null : { fs, root: copies, workspace: real };
  const source = sourceOrCopies(
    () => sourceOf(machine, layout),
    () => where !== null && keptPlan(where, {}) !== null,
  );
  if (source === null) return where === null ? null : keptPlan(where, { file: only });
  const { records, damage } = source;
  const opened = records.find((record) => record.type === 'run_opened');
  const adopted = records.flatMap(adoptionIn).at(-1);
  // Of a run whose first record is lost nobody can tell; what is then put back is said beforehand.
  if (opened) accept({ ...opened, adopted }, hashIn(fs, layout));
  const plan = planUndo(records, blobReader(fs, layout, where));
  const isMeant = ({ path }: { readonly path: string }) => only === undefined || path === only;
  const { commands, isWatched } = plan;
  const files = plan.files.filter(isMeant);
  const unseen = plan.unseen.filter(isMeant);
  const uncovered = plan.uncovered.filter(isMeant);
  const isPlanned = new Set(files.map(({ path }) => path));
  const place = { fs, workspace: real };
  return {
    goal: opened?.type === 'run_opened' ? opened.goal : 'a goal that cannot be read any more',
    files: files.map((file) => lineOf(file, place)),
    isAsBefore:
      damage === undefined &&
      plan.foldersGone.length === 0 &&
      files.every((file) => isThere(file, place)),
    left: [
      ...uncovered.map(({ path, became }) => `${path} (${became} by a command, and not kept)`),
      ...unseen
        .filter(({ path }) => !isPlanned.has(path))
        .map(({ path }) => `${path} (while nobody watched, nobody knows by whom)`),
    ],
    ...{ commands: only === undefined ? commands : [], isWatched },
    ...(damage === undefined ? {} : { damage }),
  };
}

/** `null` where there is no journal, or it is lost and what it would tell is kept elsewhere. */
function sourceOrCopies(
  read: () => UndoSource | null,
  hasCopies: () => boolean,
): UndoSource | null {
  try {
    return read();
  } catch (error) {
    const isLost = error instanceof TardigradeError && error.code === 'E_JOURNAL_MISSING';
    if (isLost && hasCopies()) return null;
    throw error;
  }
}

export function sourceOf({ fs }: Pick<Machine, 'fs'>, layout: Layout): UndoSource | null {
  try {
    if (kindOf(fs, layout.history) === null) refuseWhenLost(fs, layout);
    return readForUndo({ fs, layout });
  } catch (error) {
    throw storageError(error, `reading ${layout.root}`);
  }
}

/** What an undo does with one file, for people. */
export function lineOf(file: UndoFile, place: Pick<UndoDeps, 'fs' | 'workspace'>): string {
  const { path, writes } = file;
  if (isThere(file, place)) return `${path} (is as it was before the run already)`;
  if (writes.every(({ isRemnant }) => isRemnant)) {
    return `${path} (from a damaged part of the journal, if it holds what that part says)`;
  }
  const isByCommand = writes.every(({ by }) => by === 'command');
  if (writes[0]?.before !== null)
    return `${path} (${isByCommand ? 'changed by a command, ' : ''}will be put back)`;
  return `${path} (${isByCommand ? 'made by a command' : 'created by the run'}, will be removed)`;
}

/** Somebody, or an undo of this file alone, was there first. */
export function isThere(file: UndoFile, place: Pick<UndoDeps, 'fs' | 'workspace'>): boolean {
  const absolute = placeOf(file.path, place);
  const current = absolute === null ? 'unreadable' : hashIfReadable(place.fs, absolute);
  const target = current === 'unreadable' ? null : targetFor(file, current);
  return target?.kind === 'there_already' && target.mode === undefined;
}

/** Throws E_LOCKED, E_FOREIGN, and what the journal and the disk throw. Called again, it goes on. */
export function undo(
  machine: Machine,
  request: UndoRequest,
  accept: Accept = believeAll,
  copies: string | null = null,
): UndoReport {
  const { fs } = machine;
  const workspace = fs.realpath(request.workspace);
  const all = layoutOf(workspace);
  return underLock(machine, all, request, () => {
    const layout = layoutOfRun(fs, all, request.run);
    const where = copies === null ? null : { fs, root: copies, workspace };
    const place = { workspace, layout, accept, where };
    const read = () => sourceOf(machine, layout);
    const has = () => where !== null && request.run === undefined && keptPlan(where, {}) !== null;
    if (sourceOrCopies(read, has)?.hasJournal) recordUnseen(machine, place);
    const source = sourceOrCopies(read, has);
    if (source === null) {
      const report = where !== null && has() ? undoKept(machine, where, request) : null;
      if (report === null) throw nothingToUndo();
      return report;
    }
    const report = source.hasJournal
      ? undoJournalled(machine, place, source, request)
      : undoUnrecorded(machine, place, source, request);
    return source.damage === undefined ? report : { ...report, damage: source.damage };
  });
}

/** One run, and where its journal lies now. */
interface Place {
  /** Absolute real path. */
  readonly workspace: string;
  readonly layout: Layout;
  readonly accept: Accept;
  /** `null`: no copies are looked for. */
  readonly where: KeptWhere | null;
}

/** One that was read where it stands; of another nobody can tell what lies before it. */
const adoptionIn = (record: UndoRecord & { readonly offset?: number }): readonly Adoption[] => {
  if (record.type !== 'adopted' || record.offset === undefined) return [];
  const { base, mac, offset } = record;
  return [{ base, mac, offset }];
};

/** For a caller that answers for the folder. */
const believeAll: Accept = () => {};

/** What changed while a command was cut off is known before anything goes back, as at a resume. */
function recordUnseen({ fs, clock }: Machine, { workspace, layout, accept }: Place): void {
  const opened = openJournal(runPorts({ fs, layout, clock, accept }));
  if (opened === null) return;
  const { journal } = opened;
  let { state } = opened;
  const context = {
    get state() {
      return state;
    },
    journal,
    record: (record: JournalRecord) => {
      state = RUN_FOLD.reduce(state, journal.append(record));
      journal.sync();
    },
  };
  try {
    if (state.undo !== null || state.ended !== null) return;
    const keeper = keeperOf({ context, workspace, fs, clock, emit: () => {} });
    const isCommand = ({ class: of }: { class: string }) => of === 'command' || of === 'check';
    for (const { id } of Object.values(state.intents).filter(isCommand)) keeper.recordUnseen(id);
  } finally {
    journal.close();
  }
}

const undoing = (deps: UndoDeps, { file }: UndoWish): UndoReport =>
  file === undefined ? undoRun(deps) : undoFile(deps, file);

function undoJournalled(
  { fs, clock }: Machine,
  { workspace, layout, accept, where }: Place,
  { records }: UndoSource,
  request: UndoRequest,
): UndoReport {
  const opened = openJournal(runPorts({ fs, layout, clock, accept }));
  if (opened === null) throw nothingToUndo();
  const { journal } = opened;
  try {
    const deps: UndoDeps = {
      ...{ fs, workspace },
      records: () => records,
      append: (record) => {
        const located = journal.append(record);
        journal.sync();
        request.onRecord(located);
      },
      readBlob: blobReader(fs, layout, where),
      keepBlob: (bytes) => {
        const blob = journal.blobs.keep(bytes);
        journal.sync();
        return blob;
      },
    };
    const report = undoing(deps, request);
    const isWhole = request.file === undefined && report.outcome !== 'nothing_to_undo';
    if (isWhole && where !== null) markUndone(where, journal.run);
    return report;
  } finally {
    journal.close();
  }
}

/** Of a run whose journal was set aside as a whole. Done again, it finds every file as it should be. */
function undoUnrecorded(
  { fs }: Machine,
  { workspace, layout, where }: Place,
  { records }: UndoSource,
  request: UndoRequest,
): UndoReport {
  const blobs = createBlobStore(fs, layout.blobs);
  const deps: UndoDeps = {
    ...{ fs, workspace },
    records: () => records,
    append: () => {},
    readBlob: blobReader(fs, layout, where),
    keepBlob: (bytes) => {
      const blob = blobs.keep(bytes);
      blobs.sync();
      return blob;
    },
  };
  return undoing(deps, request);
}

const nothingToUndo = (): TardigradeError =>
  new TardigradeError('E_USAGE', 'There is no run to undo.', 'See what there is: agent runs');
