/** Undo from the copies in the user's data folder, where the state of a folder is lost. */

import { createBlobStore } from '../journal/blobs.ts';
import type { Layout } from '../journal/layout.ts';
import { storageError } from '../lib/durable-files.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { Machine } from '../run/machine.ts';
import { type KeptStep, keptSteps, restoreKept } from '../undo/from-copies.ts';
import {
  findKept,
  type KeptFound,
  keptContents,
  readIndex,
  writeAbout,
} from '../workspace/kept/place.ts';
import type { UndoPlan, UndoReport, UndoWish } from './engine-port.ts';

/** Where copies are looked for. */
export interface KeptWhere {
  readonly fs: FileSystem;
  /** Of all copies of this user. */
  readonly root: string;
  /** Absolute real path. */
  readonly workspace: string;
}

/** The last run or conversation whose copies are not put back yet, else the last one. */
function foundIn({ fs, root, workspace }: KeptWhere): KeptFound | null {
  try {
    const all = findKept(fs, root, workspace);
    return all.find(({ about }) => !about.isUndone) ?? all[0] ?? null;
  } catch (error) {
    throw storageError(error, `reading ${root}`);
  }
}

const meant =
  ({ file }: UndoWish) =>
  (path: string): boolean =>
    file === undefined || path === file;

/** `null` where nothing is kept of the folder. Changes nothing. */
export function keptPlan(where: KeptWhere, wish: UndoWish): UndoPlan | null {
  const found = foundIn(where);
  if (found === null) return null;
  const isMeant = meant(wish);
  const steps = keptSteps(found, where).filter(({ path }) => isMeant(path));
  const { title, kind, number } = found.about;
  const named = number === null ? kind : `${kind} ${number}`;
  return {
    goal: title === '' ? named : title,
    files: steps.map(lineOf).filter((line) => line !== ''),
    isAsBefore: found.about.isUndone || steps.every((step) => step.do === 'nothing'),
    left: steps.flatMap((step) => (step.do === 'leave' ? [`${step.path} (${step.why})`] : [])),
    ...{ commands: [], isWatched: true },
    copiesUsed: found.place.folder,
  };
}

function lineOf(step: KeptStep): string {
  switch (step.do) {
    case 'put_back':
      return `${step.path} (will be put back)`;
    case 'remove':
      return `${step.path} (created by the run, will be removed)`;
    case 'lay_beside':
      return `${step.path} (was changed since and stays; what it held goes to ${step.beside})`;
    case 'nothing':
    case 'leave':
      return '';
    default:
      return step satisfies never;
  }
}

/** `null` where nothing is kept of the folder. Throws E_DISK_FULL, E_IO; called again it goes on. */
export function undoKept(
  { clock }: Pick<Machine, 'clock'>,
  where: KeptWhere,
  wish: UndoWish,
): UndoReport | null {
  const { fs, root } = where;
  const found = foundIn(where);
  if (found === null) return null;
  try {
    const isDone = found.about.isUndone && wish.file === undefined;
    const nothing = { restored: [], removed: [], beside: [], leftAlone: [] };
    const done = isDone ? nothing : restoreKept(found, where, meant(wish));
    const owner = { ...found.about.owner, since: clock.now() };
    if (wish.file === undefined)
      writeAbout(fs, found.place, { ...found.about, owner, isUndone: true });
    const count = Object.values(done).reduce((sum, list) => sum + list.length, 0);
    const outcome = isDone ? 'already_undone' : count > 0 ? 'undone' : 'nothing_to_undo';
    return { ...done, outcome, foldersRemoved: [], foldersLeft: [], commands: [] };
  } catch (error) {
    throw storageError(error, `putting files back from ${root}`);
  }
}

/** That all of it is back as it was: it is not offered again. */
export function markUndone({ fs, root, workspace }: KeptWhere, id: string): void {
  const found = findKept(fs, root, workspace).find(({ about }) => about.id === id);
  if (found !== undefined) writeAbout(fs, found.place, { ...found.about, isUndone: true });
}

/** A blob by its sha256, out of the copies where it is gone; throws as a blob store where it is nowhere. */
export function blobReader(
  fs: FileSystem,
  { blobs }: Pick<Layout, 'blobs'>,
  where: KeptWhere | null,
): (hash: string) => Uint8Array {
  const store = createBlobStore(fs, blobs);
  let copies: ((hash: string) => Uint8Array | null)[] | null = null;
  return (hash) => {
    try {
      return store.read(hash);
    } catch (error) {
      if (where === null) throw error;
      copies ??= findKept(where.fs, where.root, where.workspace).map(({ place }) =>
        keptContents(where.fs, place, readIndex(where.fs, place).lines),
      );
      for (const copy of copies) {
        const bytes = copy(hash);
        if (bytes !== null) return bytes;
      }
      throw error;
    }
  };
}
