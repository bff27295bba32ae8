/**
 * Puts back what the tools and the commands of a run changed.
 * 1. Every file gets its record after it is durably restored; killed anywhere, calling it again
 *    finishes the undo and touches no file twice.
 * 2. A file that does not hold what the run left there last is left alone and listed.
 * 3. What a command left there may be somebody's who worked meanwhile: it is kept before it goes.
 * 4. What a crash hid is left alone; what the file held before is handed out as a blob.
 * 5. What was not kept is named.
 */
import { errorCode, storageError } from '../lib/durable-files.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { FileSystem } from '../lib/file-system.ts';
import { atOnce, type InPieces } from '../lib/pieces.ts';
import type { Uncovered } from '../schema/kept.ts';
import type { JournalRecord } from '../schema/records.ts';
import {
  hashIfReadable,
  infoOf,
  isRefusal,
  missingAbove,
  putFile,
  readBytes,
  removeFile,
  sha256,
} from '../workspace/files.ts';
import { contentReader } from '../workspace/packs.ts';
import { placeOf, putFolderBack, removeFolder } from './folders.ts';
import {
  planUndo,
  type RestoredFile,
  targetFor,
  type UndoFile,
  type UndoPlan,
  type UnseenChange,
} from './plan.ts';
import type { UndoRecord } from './record.ts';
import type { UndoDamage } from './records.ts';

export interface UndoDeps {
  readonly fs: FileSystem;
  /** Absolute real path. */
  readonly workspace: string;
  /** Every record of the run, oldest first, and what is left of others. */
  records(): Iterable<UndoRecord>;
  /** Durable when it returns. */
  append(record: JournalRecord): void;
  /** A blob by its sha256; throws when it is gone or damaged. */
  readBlob(hash: string): Uint8Array;
  /** Durable when it returns its sha256. */
  keepBlob(bytes: Uint8Array): string;
}

export interface UndoReport {
  readonly outcome: 'undone' | 'already_undone' | 'nothing_to_undo';
  /** Files back to what they were; folders end in `/`. */
  readonly restored: readonly string[];
  /** Files that did not exist before the run. */
  readonly removed: readonly string[];
  readonly leftAlone: readonly { readonly path: string; readonly why: string }[];
  readonly foldersRemoved: readonly string[];
  /** Files that somebody changed since: what they held before the run lies beside them. */
  readonly beside?: readonly { readonly path: string; readonly beside: string }[];
  /** Folders the run made that hold something else by now. */
  readonly foldersLeft: readonly string[];
  /** Commands of the run. */
  readonly commands: readonly string[];
  /** Left out where the whole journal could be read. */
  readonly damage?: UndoDamage;
  /** Left out of a run whose commands nobody watched: what they did is not covered. */
  readonly byCommands?: {
    /** Files that they changed, made or removed, and of which nothing is kept. */
    readonly uncovered: readonly Uncovered[];
    /** Blobs with what they, or somebody meanwhile, had left in files that are back. */
    readonly replaced: readonly { readonly path: string; readonly blob: string }[];
  };
}

/** Throws E_DISK_FULL, E_IO and what the journal throws; calling it again goes on from there. */
export const undoRun = (deps: UndoDeps): UndoReport => atOnce(undoing(deps));

/** The same; a piece is a file. */
export function* undoing(deps: UndoDeps): InPieces<UndoReport> {
  try {
    return yield* restoreAll(deps);
  } catch (error) {
    throw storageError(error, `putting files back in ${deps.workspace}`);
  }
}

function* restoreAll(deps: UndoDeps): InPieces<UndoReport> {
  const plan = planUndo(deps.records(), deps.readBlob);
  if (plan.state === 'finished') return report('already_undone', plan.done, plan);
  const contents = { ...deps, readBlob: contentReader(plan.manifests, deps.readBlob) };
  if (plan.files.length + plan.foldersGone.length === 0) {
    return withUnseen(report('nothing_to_undo', [], plan), plan, contents);
  }
  if (plan.state === 'not_begun') {
    deps.append({ type: 'undo_started', files: plan.files.map((file) => file.path) });
  }
  const back = plan.foldersGone.filter((folder) => putFolderBack(folder, deps));
  const done = [...plan.done];
  const isDone = new Set(done.map((file) => file.path));
  for (const file of plan.files) {
    if (isDone.has(file.path)) continue;
    yield;
    const restored = restore(file, contents);
    deps.append({ type: 'file_restored', ...restored });
    done.push(restored);
  }
  const folders = plan.folders.map((folder) => ({ folder, is: removeFolder(folder, deps) }));
  const undone = withUnseen(report('undone', done, plan), plan, contents);
  deps.append({ type: 'undo_finished' });
  return {
    ...undone,
    restored: [...undone.restored, ...back.map(({ path }) => `${path}/`)],
    foldersRemoved: folders.filter(({ is }) => is === 'removed').map(({ folder }) => folder),
    foldersLeft: folders.filter(({ is }) => is === 'left').map(({ folder }) => folder),
  };
}

export function report(
  outcome: UndoReport['outcome'],
  files: readonly RestoredFile[],
  { commands, isWatched, uncovered }: UndoPlan,
): UndoReport {
  const through = files.filter((file) => file.skipped === '');
  return {
    outcome,
    restored: through.filter((file) => file.hash !== null).map((file) => file.path),
    removed: through.filter((file) => file.hash === null).map((file) => file.path),
    leftAlone: files
      .filter((file) => file.skipped !== '')
      .map((file) => ({ path: file.path, why: file.skipped })),
    foldersRemoved: [],
    foldersLeft: [],
    commands,
    ...(isWatched ? { byCommands: { uncovered, replaced: replacedIn(through) } } : {}),
  };
}

const replacedIn = (files: readonly RestoredFile[]): { path: string; blob: string }[] =>
  files.flatMap(({ path, replaced }) => (replaced === undefined ? [] : [{ path, blob: replaced }]));

/** Invariant 4. */
function withUnseen(before: UndoReport, { files, unseen }: UndoPlan, deps: UndoDeps): UndoReport {
  const isPlanned = new Set(files.map(({ path }) => path));
  const open = unseen.filter(({ path }) => !isPlanned.has(path));
  const leftAlone = open.flatMap((change) => {
    const why = whyUnseen(change, deps);
    return why === null ? [] : [{ path: change.path, why }];
  });
  return { ...before, leftAlone: [...before.leftAlone, ...leftAlone] };
}

function whyUnseen({ path, before }: UnseenChange, deps: UndoDeps): string | null {
  const place = placeOf(path, deps);
  const current = place === null ? null : hashIfReadable(deps.fs, place);
  if (current === before) return null;
  if (before === null) return 'it appeared while nobody watched';
  const bytes = blobOf(before, deps);
  const where = bytes === null ? 'is missing in the blobs' : `is in blobs/${deps.keepBlob(bytes)}`;
  return `it changed while nobody watched, and nobody knows by whom; what it held ${where}`;
}

export function restore(file: UndoFile, deps: UndoDeps): RestoredFile {
  const place = placeOf(file.path, deps);
  if (place === null) {
    return { path: file.path, hash: null, skipped: 'its folder leads somewhere else now' };
  }
  const current = hashIfReadable(deps.fs, place);
  if (current === 'unreadable') {
    return { path: file.path, hash: null, skipped: 'the system does not let it be read' };
  }
  const skip = (skipped: string): RestoredFile => ({ path: file.path, hash: current, skipped });
  if (current === null && infoOf(deps.fs, place) !== null) return skip('it is not a file any more');
  const target = targetFor(file, current);
  switch (target.kind) {
    case 'never_written':
      return skip(
        file.writes.some(({ isRemnant }) => isRemnant)
          ? whyDoubtful(file, deps)
          : 'it was never written',
      );
    case 'changed_since':
      return skip(current === null ? 'it was removed since' : 'it was changed since');
    case 'there_already': {
      const refusal = hasLostMode(place, target.mode, deps)
        ? putBack(place, target.hash, target.mode, deps)
        : null;
      return refusal === null ? { path: file.path, hash: target.hash, skipped: '' } : skip(refusal);
    }
    case 'restore': {
      const replaced = keepReplaced(file, place, deps);
      const refusal = putBack(place, target.hash, target.mode, deps);
      if (refusal !== null) return skip(refusal);
      return {
        ...{ path: file.path, hash: target.hash, skipped: '' },
        ...(replaced === null ? {} : { replaced }),
      };
    }
  }
}

const hasLostMode = (place: string, mode: number | undefined, { fs }: UndoDeps): boolean =>
  mode !== undefined && fs.platform !== 'win32' && infoOf(fs, place)?.mode !== mode;

/** Only a damaged line tells of it, and the file does not hold what that line says. */
function whyDoubtful({ writes }: UndoFile, deps: UndoDeps): string {
  const before = writes.findLast(
    ({ before: hash }) => hash !== null && blobOf(hash, deps) !== null,
  );
  const kept = before?.before ? `; a former content is in blobs/${before.before}` : '';
  return `only a damaged part of the journal tells of it, and it holds something else${kept}`;
}

/** Beyond this nothing is kept of what a command left: it may be as large as the disk. */
const MAX_REPLACED_BYTES = 50 * 1024 * 1024;

/** Invariant 3. */
function keepReplaced({ writes }: UndoFile, place: string, deps: UndoDeps): string | null {
  const info = infoOf(deps.fs, place);
  if (info === null || info.size > MAX_REPLACED_BYTES) return null;
  const isByCommand = writes.at(-1)?.by === 'command';
  return isByCommand ? deps.keepBlob(readBytes(deps.fs, place)) : null;
}

/** Why it could not be done, or `null`. */
function putBack(
  absolute: string,
  hash: string | null,
  mode: number | undefined,
  deps: UndoDeps,
): string | null {
  if (hash === null) return removeIfPossible(absolute, deps.fs);
  const bytes = blobOf(hash, deps);
  if (bytes === null) return 'what it held before is missing in the blobs';
  // Folders that went away with a file the run deleted.
  const createdDirs = missingAbove(deps.fs, deps.workspace, absolute);
  const code = putFile(deps.fs, {
    ...{ absolute, bytes, createdDirs },
    ...(mode === undefined ? {} : { mode }),
  });
  return code === null ? null : `the system does not let it be written (${code})`;
}

function removeIfPossible(absolute: string, fs: FileSystem): string | null {
  try {
    removeFile(fs, absolute);
    return null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return `the system does not let it be removed (${errorCode(error)})`;
  }
}

export function blobOf(hash: string, deps: Pick<UndoDeps, 'readBlob'>): Uint8Array | null {
  try {
    const bytes = deps.readBlob(hash);
    return sha256(bytes) === hash ? bytes : null;
  } catch (error) {
    const isGone = error instanceof TardigradeError && error.code === 'E_JOURNAL_CORRUPT';
    if (isGone || errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
