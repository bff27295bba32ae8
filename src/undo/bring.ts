/**
 * Restores files and folders, for an undo and for either side of a set of changes.
 * 1. A file's record is written after the file is durable. After a kill at any point, calling it again does the
 *    rest.
 * 2. A file that has neither its target content nor its last known content is left alone.
 * 3. A file loses its content only after the other files that held that content before have it back, and
 *    keeps it otherwise. Then files go that are in the way of others, and last the other files that the run
 *    made.
 */
import type { Interruptible } from '../lib/interruptible.ts';
import { foldersAbove, putFolderBack, removeFolder, type WorkspacePlace } from './folders.ts';
import type { RestoredFile, UndoFile, UndoPlan } from './plan.ts';
import { carryOut, type StepPlace, stepFor, type UndoStep } from './step.ts';
import {
  formerOf,
  heldStep,
  isRemoval,
  lostAmong,
  stepsTogether,
  type Together,
} from './together.ts';

/** The state to be restored. */
export type Aim = Pick<UndoPlan, 'files' | 'folders' | 'foldersGone'>;

export interface BringPlace extends StepPlace, WorkspacePlace {
  /** Durable when it returns the sha256. */
  storeBlob(bytes: Uint8Array): string;
}

export interface Brought {
  readonly files: readonly RestoredFile[];
  readonly foldersBack: readonly string[];
  readonly foldersRemoved: readonly string[];
  /** Folders that now contain something else. */
  readonly foldersLeft: readonly string[];
}

/**
 * One piece per file.
 * @param done files that are finished
 * @param record called with what became of each file, and by which step
 */
export function* bringing(
  { files, folders, foldersGone }: Aim,
  done: ReadonlySet<string>,
  place: BringPlace,
  record: (file: RestoredFile, step: UndoStep) => void,
): Interruptible<Brought> {
  const brought: RestoredFile[] = [];
  const together = yield* stepsTogether(files, place);
  const lost = lostAmong(files, together.steps, (path) => !done.has(path));
  const bring = (file: UndoFile, planned: UndoStep): void => {
    const step = heldStep(planned, lost) ?? planned;
    const restored = carryOut(step, place);
    record(restored, step);
    brought.push(restored);
    const former = restored.skipped === '' ? null : formerOf(file, step);
    if (former !== null) lost.set(former, file.path);
  };
  const removed = new Set<string>();
  const back = new Set<string>();
  const above = new Set(files.flatMap(({ path }) => foldersAbove(path)));
  for (const batch of inOrder(files, together)) {
    for (const file of batch.filter(({ path }) => !done.has(path))) {
      yield;
      // An empty folder that held these files is in the way of the file.
      if (above.has(file.path)) removeFolder(file.path, place);
      const planned = together.hidden.has(file.path) ? together.steps.get(file.path) : undefined;
      bring(file, planned && planned.do !== 'restore' ? planned : stepFor(file, place));
    }
    for (const folder of folders)
      if (removeFolder(folder, place) === 'removed') removed.add(folder);
    for (const folder of foldersGone) if (putFolderBack(folder, place)) back.add(folder.path);
  }
  return {
    files: brought,
    foldersBack: [...back],
    foldersRemoved: [...removed],
    foldersLeft: folders.filter((one) => !removed.has(one) && removeFolder(one, place) === 'left'),
  };
}

/** Invariant 3. The first batch is empty, for the folders. */
function inOrder(
  files: readonly UndoFile[],
  { steps, hidden, inTheWay }: Together,
): readonly (readonly UndoFile[])[] {
  const away = lostAmong(files, steps, () => false);
  const batchOf = ({ path }: UndoFile): number => {
    const step = steps.get(path);
    if (inTheWay.has(path)) return 3;
    if (hidden.has(path)) return 4;
    if (isRemoval(step)) return 5;
    return away.has(step?.current ?? '') ? 2 : 1;
  };
  return [0, 1, 2, 3, 4, 5].map((batch) => files.filter((file) => batchOf(file) === batch));
}
