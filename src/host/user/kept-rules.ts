/**
 * Rules that a person saved for a folder: in the user's data folder, by the folder's real path, out of reach of the
 * project.
 */
import * as z from 'zod';
import {
  ensureDirectory,
  errorCode,
  readFileIfPresent,
  replaceFile,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { folderFile } from './folder-file.ts';

const StoredRules = z.object({ folder: z.string(), allow: z.array(z.string()) });
const MOST = 200;

export interface SavedRules {
  /** The rules of a folder; none if they are unreadable. */
  rulesFor(workspace: string): readonly string[];
  save(workspace: string, rules: readonly string[]): void;
  /** The path of their file, whether or not it exists. */
  fileOf(workspace: string): string;
}

export function savedRules(place: {
  readonly fs: FileSystem;
  readonly dataFolder: string;
}): SavedRules {
  const { fs } = place;
  const rulesFor = (workspace: string): readonly string[] => {
    const { folder, file } = folderFile(place, 'rules', workspace);
    try {
      const read = StoredRules.safeParse(
        JSON.parse(readFileIfPresent(fs, file)?.toString('utf8') ?? ''),
      );
      return read.success && read.data.folder === folder ? read.data.allow : [];
    } catch (error) {
      if (errorCode(error) === '' && !(error instanceof SyntaxError)) throw error;
      return [];
    }
  };
  return {
    rulesFor,
    fileOf: (workspace) => folderFile(place, 'rules', workspace).file,
    save: (workspace, rules) => {
      const { folder, directory, file } = folderFile(place, 'rules', workspace);
      const allow = [...new Set([...rulesFor(workspace), ...rules])].slice(-MOST);
      ensureDirectory(fs, directory);
      replaceFile(fs, file, Buffer.from(`${JSON.stringify({ folder, allow }, null, 2)}\n`));
    },
  };
}
