/**
 * Restores files and folders, for an undo and for either side of a set of changes.
 * 1. A file's record is written after the file is durable. After a kill at any point, calling it again does the
 *    rest.
 * 2. A file that has neither its target content nor its last known content is left alone.
 * 3. Removals come before additions: a file may replace a folder, or a folder a file.
 */
import type { Interruptible } from '../lib/interruptible.ts';
import { type FolderPlace, putFolderBack, removeFolder } from './folders.ts';
import type { RestoredFile, UndoFile, UndoPlan } from './plan.ts';
import { carryOut, type Step, type StepPlace, stepFor } from './step.ts';

/** The state to be restored. */
export type Aim = Pick<UndoPlan, 'files' | 'folders' | 'foldersGone'>;

export interface BringPlace extends StepPlace, FolderPlace {
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
  record: (file: RestoredFile, step: Step) => void,
): Interruptible<Brought> {
  const brought: RestoredFile[] = [];
  const bring = (step: Step): void => {
    const restored = carryOut(step, place);
    record(restored, step);
    brought.push(restored);
  };
  const coming: UndoFile[] = [];
  for (const file of files) {
    if (done.has(file.path)) continue;
    const mayGo = file.writes.some(({ before }) => before === null);
    if (mayGo) yield;
    const step = mayGo ? stepFor(file, place) : null;
    if (step?.do === 'restore' && step.hash === null) bring(step);
    else coming.push(file);
  }
  const gone = folders.map((folder) => ({ folder, is: removeFolder(folder, place) }));
  const back = foldersGone.filter((folder) => putFolderBack(folder, place));
  for (const file of coming) {
    yield;
    // An empty folder that held these files is in the way of the file.
    if (files.some(({ path }) => path.startsWith(`${file.path}/`))) removeFolder(file.path, place);
    bring(stepFor(file, place));
  }
  const those = (how: 'removed' | 'left') =>
    gone.filter(({ is }) => is === how).map(({ folder }) => folder);
  return {
    files: brought,
    foldersBack: back.map(({ path }) => path),
    ...{ foldersRemoved: those('removed'), foldersLeft: those('left') },
  };
}
