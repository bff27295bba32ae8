/** Where the user's data folder stores something about a folder: by its real path, out of reach of the project. */
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { sha256 } from '../../lib/sha256.ts';
import { realOr } from '../../processes/programs/search-path.ts';

export interface FolderFile {
  /** The folder itself, absolute and real. */
  readonly folder: string;
  readonly directory: string;
  readonly file: string;
}

export interface UserPlace {
  readonly fs: FileSystem;
  /** Absolute. */
  readonly dataFolder: string;
}

/** @param room a subfolder of the data folder, named after its content */
export function folderFile(place: UserPlace, room: string, workspace: string): FolderFile {
  const { folder, directory } = folderPlace(place, room, workspace);
  const { join } = pathsOf(place.fs.platform);
  return { folder, directory: join(place.dataFolder, room), file: `${directory}.json` };
}

/** The same for several files: `directory` is for this folder alone. */
export function folderPlace(
  { fs, dataFolder }: UserPlace,
  room: string,
  workspace: string,
): Omit<FolderFile, 'file'> {
  const { join } = pathsOf(fs.platform);
  const folder = realOr(workspace, fs);
  const name = sha256(folder).slice(0, 32);
  return { folder, directory: join(dataFolder, room, name) };
}
