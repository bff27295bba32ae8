/**
 * Rules that a person wants kept for a folder: in the user's data folder, under the folder's real path,
 * where nothing of the project can write them.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import {
  ensureDirectory,
  errorCode,
  readFileIfPresent,
  replaceFile,
} from '../lib/durable-files.ts';
import type { FileSystem } from '../lib/file-system.ts';
import { pathsOf } from '../workspace/jail.ts';

const Kept = z.object({ folder: z.string(), allow: z.array(z.string()) });
const MOST = 200;

export interface KeptRules {
  /** Those of a folder; none where they cannot be read. */
  rulesFor(workspace: string): readonly string[];
  keep(workspace: string, rules: readonly string[]): void;
}

export function keptRules({
  fs,
  dataFolder,
}: {
  readonly fs: FileSystem;
  readonly dataFolder: string;
}): KeptRules {
  const { join } = pathsOf(fs.platform);
  const folder = join(dataFolder, 'rules');
  const placeOf = (workspace: string) => {
    const real = realOr(workspace, fs);
    const name = createHash('sha256').update(real).digest('hex').slice(0, 32);
    return { real, file: join(folder, `${name}.json`) };
  };
  const rulesFor = (workspace: string): readonly string[] => {
    const { real, file } = placeOf(workspace);
    try {
      const read = Kept.safeParse(JSON.parse(readFileIfPresent(fs, file)?.toString('utf8') ?? ''));
      return read.success && read.data.folder === real ? read.data.allow : [];
    } catch (error) {
      if (errorCode(error) === '' && !(error instanceof SyntaxError)) throw error;
      return [];
    }
  };
  return {
    rulesFor,
    keep: (workspace, rules) => {
      const { real, file } = placeOf(workspace);
      const allow = [...new Set([...rulesFor(workspace), ...rules])].slice(-MOST);
      ensureDirectory(fs, folder);
      replaceFile(fs, file, Buffer.from(`${JSON.stringify({ folder: real, allow }, null, 2)}\n`));
    },
  };
}

function realOr(workspace: string, fs: FileSystem): string {
  try {
    return fs.realpath(workspace);
  } catch {
    return workspace;
  }
}
