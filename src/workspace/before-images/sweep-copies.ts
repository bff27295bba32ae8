/** Limits what is kept outside the workspaces: the oldest copies go first, and never those being written to. */
import { livenessOf } from '../../journal/lock/identity.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { errorCode, fileKindAt } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { runSync } from '../../lib/interruptible.ts';
import type { ProcessIdentity } from '../../lib/process-identity.ts';
import { sweepFolder } from '../sweep-folder.ts';
import { type CopyFolder, copyFolderIn, readAbout } from './copy-folder.ts';

export interface CopySizeLimits {
  /** In bytes, for one workspace and for all. */
  readonly workspace: number;
  readonly all: number;
}

const MB = 1024 * 1024;
export const COPY_SIZE_LIMITS: CopySizeLimits = { workspace: 200 * MB, all: 1024 * MB };

interface Others {
  readonly place: CopyFolder;
  /** True if it belongs to the same workspace. */
  readonly isNear: boolean;
  readonly bytes: number;
  readonly lastAt: number;
}

export interface Sweeper {
  /**
   * Frees space for that many bytes of the current run; false if they do not fit.
   * @param own how much the run already has
   */
  makeRoom(own: number, more: number): boolean;
}

/** @param own the current run's folder; the others are examined once */
export function sweeperOf(
  {
    fs,
    root,
    limits,
    now,
  }: {
    readonly fs: FileSystem;
    readonly root: string;
    readonly limits: CopySizeLimits;
    readonly now: number;
  },
  own: CopyFolder,
  identity: ProcessIdentity,
): Sweeper {
  const others = othersIn(fs, root, own).sort((one, other) => one.lastAt - other.lastAt);
  const sum = (isMeant: (one: Others) => boolean): number =>
    others.filter(isMeant).reduce((bytes, one) => bytes + one.bytes, 0);
  const drop = (isMeant: (one: Others) => boolean): boolean => {
    const index = others.findIndex(
      (one) => isMeant(one) && !isWrittenTo(fs, one, { identity, now }),
    );
    const [oldest] = index < 0 ? [] : others.splice(index, 1);
    if (oldest !== undefined) remove(fs, oldest.place);
    return oldest !== undefined;
  };
  return {
    makeRoom(taken, more) {
      const wanted = taken + more;
      if (wanted > limits.workspace) return false;
      while (wanted + sum(({ isNear }) => isNear) > limits.workspace)
        if (!drop(({ isNear }) => isNear)) return false;
      while (wanted + sum(() => true) > limits.all) if (!drop(() => true)) return false;
      return true;
    },
  };
}

/** An owner that cannot be examined counts as gone only after this much silence. */
const SILENCE_MS = 7 * 24 * 60 * 60 * 1000;

function isWrittenTo(
  fs: FileSystem,
  { place, lastAt }: Others,
  { identity, now }: { readonly identity: ProcessIdentity; readonly now: number },
): boolean {
  const about = readAbout(fs, place);
  const liveness = about === null ? 'dead' : livenessOf(about.owner, identity);
  return liveness === 'alive' || (liveness === 'unknown' && now - lastAt < SILENCE_MS);
}

/** Removes the index first, so that a half-removed copy is not offered. */
export function remove(fs: FileSystem, { folder, index }: CopyFolder): void {
  try {
    if (fileKindAt(fs, index) !== null) fs.unlink(index);
    runSync(sweepFolder(fs, folder));
  } catch (error) {
    // Another process is cleaning up too, or the system refuses.
    if (errorCode(error) === '') throw error;
  }
}

function othersIn(fs: FileSystem, root: string, own: CopyFolder): Others[] {
  const { join, dirname } = pathsOf(fs.platform);
  const near = dirname(own.folder);
  return foldersIn(fs, root)
    .flatMap((workspace) => foldersIn(fs, workspace).map((folder) => ({ workspace, folder })))
    .filter(({ folder }) => folder !== own.folder)
    .map(({ workspace, folder }) => {
      const place = copyFolderIn(fs, folder);
      const files = [
        place.index,
        ...filesIn(fs, place.contents).map((name) => join(place.contents, name)),
      ];
      const infos = files.flatMap((file) =>
        fileKindAt(fs, file) === 'file' ? [fs.stat(file)] : [],
      );
      return {
        place,
        isNear: workspace === near,
        bytes: infos.reduce((bytes, { size }) => bytes + size, 0),
        lastAt: infos.reduce((last, { mtimeMs }) => Math.max(last, mtimeMs), 0),
      };
    });
}

const filesIn = (fs: FileSystem, folder: string): readonly string[] =>
  fileKindAt(fs, folder) === 'directory' ? fs.readdir(folder) : [];

const foldersIn = (fs: FileSystem, folder: string): readonly string[] =>
  filesIn(fs, folder)
    .map((name) => pathsOf(fs.platform).join(folder, name))
    .filter((path) => fileKindAt(fs, path) === 'directory');
