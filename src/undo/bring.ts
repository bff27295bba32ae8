/**
 * Brings files and folders back to what they were: for an undo, and for either side of a set of changes.
 * 1. Every file gets its record after it is durably there; killed anywhere, the rest is done by calling it again.
 * 2. A file that holds neither what it should nor what it is known to have held is left alone.
 * 3. What goes makes room for what comes: a file may lie where a folder was, or a folder where a file was.
 */
import type { Interruptible } from '../lib/interruptible.ts';
import { type FolderPlace, putFolderBack, removeFolder } from './folders.ts';
import type { RestoredFile, UndoFile, UndoPlan } from './plan.ts';
import { carryOut, type Step, type StepPlace, stepFor } from './step.ts';

/** What is to be as it was. */
export type Aim = Pick<UndoPlan, 'files' | 'folders' | 'foldersGone'>;

export interface BringPlace extends StepPlace, FolderPlace {
  /** Durable when it returns its sha256. */
  storeBlob(bytes: Uint8Array): string;
}

export interface Brought {
  readonly files: readonly RestoredFile[];
  readonly foldersBack: readonly string[];
  readonly foldersRemoved: readonly string[];
  /** Folders that hold something else by now. */
  readonly foldersLeft: readonly string[];
}

/** A piece is a file. @param done files that are through with */
export function* bringing(
  { files, folders, foldersGone }: Aim,
  done: ReadonlySet<string>,
  place: BringPlace,
  record: (file: RestoredFile) => void,
): Interruptible<Brought> {
  const brought: RestoredFile[] = [];
  const bring = (step: Step): void => {
    const restored = carryOut(step, place);
    record(restored);
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
    // The folder that these files lay in is in the way, where nothing else is in it.
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
