/** Makes links in a copy lead to the copied files: the links of the workspace would lead outside the copy. */
import { isInside, pathsOf } from '../lib/files/absolute-paths.ts';
import { fileKindAt, makeDirectory } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import type { Interruptible } from '../lib/interruptible.ts';
import { orNull } from '../lib/or-null.ts';
import { namesIn } from './walk.ts';

export interface LinkRequest {
  readonly fs: FileSystem;
  /** Absolute real path of what is copied. */
  readonly workspace: string;
  /** Absolute path of the copy. */
  readonly folder: string;
  /** Installed packages, which may be links to packages of the workspace itself; relative with `/`. */
  packageLinks(namesIn: (folder: string) => readonly string[]): readonly string[];
}

/** Each link leads to a folder that was copied; others are left out. */
export function* linkPackages(request: LinkRequest): Interruptible<void> {
  const { fs, workspace, folder } = request;
  const { join } = pathsOf(fs.platform);
  if (fs.linkFolder === undefined) return;
  for (const path of request.packageLinks((below) => namesIn(fs, join(workspace, below)))) {
    yield;
    const target = targetInCopy(request, path);
    if (target === null || fileKindAt(fs, target) !== 'directory') continue;
    makeParents(request, path);
    fs.linkFolder(target, join(folder, path));
  }
}

/**
 * Links to the installed packages of the workspace, each by itself. So what a program writes beside the
 * packages stays in the copy, and a program that removes a package removes only a link. Returns whether there
 * are any.
 */
export function* linkInstalled(request: LinkRequest): Interruptible<boolean> {
  const { fs, workspace, folder } = request;
  const { join } = pathsOf(fs.platform);
  let isAny = false;
  for (const path of request.packageLinks((below) => namesIn(fs, join(workspace, below)))) {
    yield;
    const place = join(folder, path);
    const real = orNull(() => fs.realpath(join(workspace, path)));
    if (real === null || fileKindAt(fs, place) !== null) continue;
    const holdsAll = isInside(real, workspace, fs.platform);
    // On Windows only a link to a folder needs no permission.
    const isFile = fileKindAt(fs, real) !== 'directory';
    if (holdsAll || (isFile && fs.platform === 'win32')) continue;
    makeParents(request, path);
    // Some file systems have no links.
    orNull(() => fs.linkFolder?.(real, place));
    isAny ||= fileKindAt(fs, place) !== null;
  }
  return isAny;
}

/** Makes the other links of the workspace that lead to copied files; on Windows, only those to folders. */
export function* linkCopied(request: Place, paths: readonly string[]): Interruptible<void> {
  const { fs, folder } = request;
  const { join } = pathsOf(fs.platform);
  const kinds = fs.platform === 'win32' ? ['directory'] : ['directory', 'file'];
  for (const path of paths) {
    yield;
    const target = targetInCopy(request, path);
    const place = join(folder, path);
    if (target === null || !kinds.includes(fileKindAt(fs, target) ?? '')) continue;
    if (fileKindAt(fs, place) !== null) continue;
    makeParents(request, path);
    // Some file systems have no links.
    orNull(() => fs.linkFolder?.(target, place));
  }
}

function makeParents({ fs, folder }: Place, path: string): void {
  const { join } = pathsOf(fs.platform);
  const parts = path.split('/');
  for (let count = 1; count < parts.length; count += 1)
    makeDirectory(fs, join(folder, ...parts.slice(0, count)));
}

type Place = Omit<LinkRequest, 'packageLinks'>;

/** The place in the copy of what a link leads to. */
function targetInCopy({ fs, workspace, folder }: Place, path: string): string | null {
  const { join, relative } = pathsOf(fs.platform);
  if (orNull(() => fs.lstat(join(workspace, path)))?.kind !== 'symlink') return null;
  const real = orNull(() => fs.realpath(join(workspace, path)));
  if (real === null || real === workspace || !isInside(workspace, real, fs.platform)) return null;
  return join(folder, relative(workspace, real));
}
