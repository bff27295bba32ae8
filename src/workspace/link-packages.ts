/** Links in a copy to packages of the workspace: through those of the workspace, a copy would use files outside it. */
import { isInside, pathsOf } from '../lib/files/absolute-paths.ts';
import { kindOf, makeDirectory } from '../lib/files/durable-files.ts';
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
  /** What may be a link to a package of the workspace itself, relative with `/`. */
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
    if (target === null) continue;
    const parts = path.split('/');
    for (let count = 1; count < parts.length; count += 1)
      makeDirectory(fs, join(folder, ...parts.slice(0, count)));
    fs.linkFolder(target, join(folder, path));
  }
}

function targetInCopy({ fs, workspace, folder }: LinkRequest, path: string): string | null {
  const { join, relative } = pathsOf(fs.platform);
  if (orNull(() => fs.lstat(join(workspace, path)))?.kind !== 'symlink') return null;
  const real = orNull(() => fs.realpath(join(workspace, path)));
  if (real === null || real === workspace || !isInside(workspace, real, fs.platform)) return null;
  const target = join(folder, relative(workspace, real));
  return kindOf(fs, target) === 'directory' ? target : null;
}
