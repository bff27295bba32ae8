/**
 * The folders in which this user's agent has worked, one file each in the data folder, so that a server can list them.
 * Listing them removes those that no longer exist.
 */
import * as z from 'zod';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import {
  discard,
  ensureDirectory,
  fileKindAt,
  replaceFile,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { readFileAs } from '../../lib/files/json-file.ts';
import { orNull } from '../../lib/or-null.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { UserPlace } from './folder-file.ts';

const FOLDER = 'folders';
const ENDING = '.json';
const Note = z.object({ path: z.string() });

/** The same name for the same folder at every start. */
export const folderId = (path: string): string => sha256(path).slice(0, 16);

/** Never throws: a failure does not affect the work. @param workspace an existing folder */
export function noteFolder({ fs, dataFolder }: UserPlace, workspace: string): void {
  try {
    const path = fs.realpath(workspace);
    const folder = pathsOf(fs.platform).join(dataFolder, FOLDER);
    const file = pathsOf(fs.platform).join(folder, `${folderId(path)}${ENDING}`);
    if (fileKindAt(fs, file) !== null) return;
    ensureDirectory(fs, folder);
    replaceFile(fs, file, Buffer.from(`${JSON.stringify({ path })}\n`), { isSynced: false });
  } catch {
    // A later start may record it.
  }
}

export function knownFolders({ fs, dataFolder }: UserPlace): readonly string[] {
  const folder = pathsOf(fs.platform).join(dataFolder, FOLDER);
  try {
    return fs.readdir(folder).flatMap((name) => {
      // A kill can leave a temporary file.
      if (!name.endsWith(ENDING)) return [];
      const file = pathsOf(fs.platform).join(folder, name);
      const path = readFileAs(fs, file, Note)?.path ?? null;
      if (path !== null && isThere(fs, path)) return [path];
      discard(fs, file);
      return [];
    });
  } catch {
    // None was ever recorded.
    return [];
  }
}

const isThere = (fs: FileSystem, path: string): boolean =>
  orNull(() => fileKindAt(fs, path) === 'directory' && fs.realpath(path) === path) === true;
