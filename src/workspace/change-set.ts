/**
 * Changes several files as one.
 * 1. Nothing becomes visible before every new content lies durably beside its destination.
 * 2. Additions come before removals, so a content is never missing from both places.
 * 3. If the system refuses one change, all are reverted. After a kill at any instant, each file has its old or
 *    its new content, so the same set can be finished or judged from the disk.
 */

import { TardigradeError } from '../lib/errors.ts';
import {
  discard,
  errorCode,
  isDiskFull,
  isExhausted,
  renameFile,
  storageError,
  syncDirectory,
  temporaryOf,
  writeTemporary,
} from '../lib/files/durable-files.ts';
import type { FileInfo, FileSystem } from '../lib/files/file-system.ts';
import { type Interruptible, runSync } from '../lib/interruptible.ts';
import type { FileChange } from '../schema/actions.ts';
import {
  diskFull,
  hashingIfReadable,
  infoOf,
  makeFolder,
  parentFolder,
  removeFile,
} from './files.ts';

/** One change with its absolute path. */
export interface PlacedChange {
  readonly change: FileChange;
  readonly absolute: string;
  /** Missing folders above it, outermost first, absolute. */
  readonly folders: readonly string[];
}

export type FoundContent = 'before' | 'after' | 'other';

export type Applied =
  | { readonly kind: 'done' }
  /** `left`: changes that could not be reverted either. */
  | {
      readonly kind: 'refused';
      readonly path: string;
      readonly code: string;
      readonly left: readonly string[];
    };

interface Images {
  readonly fs: FileSystem;
  /** The bytes of a content by its sha256. */
  bytesOf(hash: string): Uint8Array;
}

/** What is at the path of a change, by content and, if that is part of the change, by mode. */
export const contentAt = (fs: FileSystem, change: FileChange, absolute: string): FoundContent =>
  runSync(findingAt(fs, change, absolute));

/** The same in pieces. */
export function* findingAt(
  fs: FileSystem,
  change: FileChange,
  absolute: string,
): Interruptible<FoundContent> {
  const info = infoOf(fs, absolute);
  if (change.folder !== undefined) return foundFolder(fs, change.folder, absolute, info);
  const hash = yield* hashingIfReadable(fs, absolute);
  if (hash === null && info !== null) return 'other';
  const hasMode = (mode: number | undefined): boolean =>
    change.modeAfter === undefined ||
    fs.platform === 'win32' ||
    info === null ||
    info.mode === mode;
  if (hash === change.after && hasMode(change.modeAfter)) return 'after';
  return hash === change.before && hasMode(change.mode) ? 'before' : 'other';
}

function foundFolder(
  fs: FileSystem,
  is: 'made' | 'removed',
  absolute: string,
  info: FileInfo | null,
): FoundContent {
  const [absent, present] = is === 'made' ? BEFORE_AND_AFTER : AFTER_AND_BEFORE;
  if (info === null) return absent;
  if (info.kind !== 'directory') return 'other';
  return is === 'made' || fs.readdir(absolute).length === 0 ? present : 'other';
}

const BEFORE_AND_AFTER = ['before', 'after'] as const;
const AFTER_AND_BEFORE = ['after', 'before'] as const;

/**
 * Makes the changes; every path must have its old content. Throws E_DISK_FULL and E_IO: some changes may then
 * have been made.
 * @param done changes of the same set that were made earlier; they are reverted too if one is refused
 */
export function applyChanges(
  changes: readonly PlacedChange[],
  images: Images,
  done: readonly PlacedChange[] = [],
): Applied {
  const { fs } = images;
  const made: PlacedChange[] = [...done];
  const steps = [...stagingOf(changes, images), ...commitsOf(changes, fs, made)];
  for (const { change, run } of steps) {
    const code = refusalOf(change, run, () => {
      for (const one of changes) discard(fs, temporaryOf(one.absolute));
    });
    if (code === null) continue;
    const left = putBack(made, changes, images);
    return { kind: 'refused', path: change.path, code, left };
  }
  return { kind: 'done' };
}

interface SetStep {
  readonly change: FileChange;
  run(): void;
}

const comes = ({ change }: PlacedChange): boolean => change.after !== null;
const leaves = ({ change }: PlacedChange): boolean =>
  change.after === null && change.folder === undefined;

function stagingOf(changes: readonly PlacedChange[], { fs, bytesOf }: Images): SetStep[] {
  return changes.filter(comes).map(({ change, absolute, folders }) => ({
    change,
    run: () => {
      for (const folder of folders) makeFolder(fs, folder);
      const mode =
        change.modeAfter ??
        infoOf(fs, absolute)?.mode ??
        fs.stat(parentFolder(fs, absolute)).mode & 0o664;
      const bytes = bytesOf(change.after ?? '');
      writeTemporary(fs, temporaryOf(absolute), bytes, { mode, isSynced: true });
    },
  }));
}

/** Orders the steps so that each is possible: new folders from the outside in, removed ones from the inside out. */
function commitsOf(
  changes: readonly PlacedChange[],
  fs: FileSystem,
  made: PlacedChange[],
): SetStep[] {
  const step = (one: PlacedChange, work: () => void): SetStep => ({
    change: one.change,
    run: () => {
      work();
      made.push(one);
    },
  });
  const folders = (is: 'made' | 'removed'): PlacedChange[] =>
    changes.filter(({ change }) => change.folder === is);
  return [
    ...folders('made').map((one) =>
      step(one, () => {
        for (const folder of [...one.folders, one.absolute]) makeFolder(fs, folder);
      }),
    ),
    ...changes.filter(comes).map((one) =>
      step(one, () => {
        renameFile(fs, temporaryOf(one.absolute), one.absolute);
        syncDirectory(fs, parentFolder(fs, one.absolute));
      }),
    ),
    ...changes.filter(leaves).map((one) => step(one, () => removeFile(fs, one.absolute))),
    ...folders('removed')
      .reverse()
      .map((one) => step(one, () => removeFolder(fs, one.absolute))),
  ];
}

function removeFolder(fs: FileSystem, absolute: string): void {
  fs.rmdir(absolute);
  syncDirectory(fs, parentFolder(fs, absolute));
}

/**
 * The code with which the system refused one step; `null` if it did not. @param clear removes what a failed
 * step leaves
 */
function refusalOf({ path }: FileChange, run: () => void, clear = (): void => {}): string | null {
  try {
    run();
    return null;
  } catch (error) {
    clear();
    if (isDiskFull(error)) throw error instanceof TardigradeError ? error : diskFull(error);
    const code = errorCode(error);
    if (isExhausted(error) || code === '' || code === 'EIO')
      throw storageError(error, `changing ${path}`);
    return code;
  }
}

/** Invariant 3, in reverse order; returns the paths for which that is refused too. */
function putBack(
  made: readonly PlacedChange[],
  changes: readonly PlacedChange[],
  images: Images,
): string[] {
  const { fs } = images;
  const left = [...made].reverse().filter((one) => {
    const clear = (): void => discard(fs, temporaryOf(one.absolute));
    return refusalOf(one.change, () => restore(one, images), clear) !== null;
  });
  // A folder with content belongs to someone and stays.
  for (const { change, folders } of [...made, ...changes])
    for (const folder of [...folders].reverse()) refusalOf(change, () => removeFolder(fs, folder));
  return left.map(({ change }) => change.path);
}

function restore({ change, absolute }: PlacedChange, { fs, bytesOf }: Images): void {
  if (change.folder === 'made') removeFolder(fs, absolute);
  else if (change.folder === 'removed') makeFolder(fs, absolute);
  else if (change.before === null) removeFile(fs, absolute);
  else {
    const temporary = temporaryOf(absolute);
    const mode = change.mode ?? 0o644;
    writeTemporary(fs, temporary, bytesOf(change.before), { mode, isSynced: true });
    renameFile(fs, temporary, absolute);
    syncDirectory(fs, parentFolder(fs, absolute));
  }
}
