/** Restores folders that a run created or removed. */
import { syncDirectory } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { setMode } from '../lib/files/with-file.ts';
import { infoOf, isRefusal, makeFolder, missingAbove, parentFolder } from '../workspace/files.ts';
import { resolveInWorkspace } from '../workspace/jail.ts';

export interface WorkspacePlace {
  readonly fs: FileSystem;
  /** Absolute real path. */
  readonly workspace: string;
}

/** The current location of a recorded path; `null` if links now lead elsewhere. */
export const currentPlaceOf = (relative: string, deps: WorkspacePlace): string | null =>
  locate(relative, deps, (found) => found === relative);

/** The same, also if the disk now spells the path in another case and takes both names for one. */
export const placeOfFile = (relative: string, deps: WorkspacePlace): string | null =>
  deps.fs.platform === 'linux'
    ? currentPlaceOf(relative, deps)
    : locate(relative, deps, (found) => folded(found) === folded(relative));

function locate(
  relative: string,
  { fs, workspace }: WorkspacePlace,
  isIt: (found: string) => boolean,
): string | null {
  const options = { platform: fs.platform, forWrite: true };
  const found = resolveInWorkspace(fs, workspace, relative, options);
  return found.kind === 'inside' && isIt(found.relative) ? found.absolute : null;
}

const folded = (path: string): string => path.normalize('NFC').toLowerCase();

/** The folders of a recorded path, outermost first. */
export const foldersAbove = (path: string): readonly string[] => {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
};

/** Leaves a folder that now contains something else. */
export function removeFolder(relative: string, deps: WorkspacePlace): 'removed' | 'left' | 'gone' {
  const place = currentPlaceOf(relative, deps);
  if (place === null) return 'left';
  try {
    if (infoOf(deps.fs, place) === null) return 'gone';
    deps.fs.rmdir(place);
    syncDirectory(deps.fs, parentFolder(deps.fs, place));
    return 'removed';
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return 'left';
  }
}

/** The folders, innermost first, that hold nothing but other folders of the list. */
export function emptyFoldersOf(
  folders: readonly string[],
  deps: WorkspacePlace,
): readonly string[] {
  const empty = new Set<string>();
  for (const folder of folders) {
    const place = currentPlaceOf(folder, deps);
    const names = place === null ? null : namesIn(deps.fs, place);
    if (names?.every((name) => empty.has(`${folder}/${name}`))) empty.add(folder);
  }
  return [...empty];
}

function namesIn(fs: FileSystem, folder: string): readonly string[] | null {
  try {
    return fs.readdir(folder);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return null;
  }
}

/** True if the folder exists again, with its mode. */
export function putFolderBack(
  { path, mode }: { readonly path: string; readonly mode: number },
  deps: WorkspacePlace,
): boolean {
  const { fs, workspace } = deps;
  const place = currentPlaceOf(path, deps);
  if (place === null || infoOf(fs, place) !== null) return false;
  try {
    for (const folder of [...missingAbove(fs, workspace, place), place]) makeFolder(fs, folder);
    setMode(fs, place, mode);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return false;
  }
}
