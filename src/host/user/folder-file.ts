/** Where the user's data folder stores something about a folder: by its real path, out of reach of the project. */
import { createHash } from 'node:crypto';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { pathsOf } from '../../workspace/jail.ts';

export interface FolderFile {
  /** The folder itself, absolute and real. */
  readonly folder: string;
  readonly directory: string;
  readonly file: string;
}

/** @param room a subfolder of the data folder, named after its content */
export function folderFile(
  { fs, dataFolder }: { readonly fs: FileSystem; readonly dataFolder: string },
  room: string,
  workspace: string,
): FolderFile {
  const { join } = pathsOf(fs.platform);
  const folder = realOr(workspace, fs);
  const directory = join(dataFolder, room);
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  return { folder, directory, file: join(directory, `${name}.json`) };
}

function realOr(workspace: string, fs: FileSystem): string {
  try {
    return fs.realpath(workspace);
  } catch {
    return workspace;
  }
}
