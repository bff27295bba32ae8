/**
 * What a person allowed "always here": in the user's data folder, by the folder's real path, out of reach of the
 * project. Each rule is a file of its own, so that two processes never undo each other's work.
 */
import * as z from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import {
  ensureDirectory,
  errorCode,
  replaceFile,
  syncDirectory,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { readFileAs } from '../../lib/files/json-file.ts';
import { orNull } from '../../lib/or-null.ts';
import { sha256 } from '../../lib/sha256.ts';
import { GIVER, type Giver } from '../../schema/journal/permissions.ts';
import { folderPlace } from './folder-file.ts';

const ROOM = 'rules';
const ENDING = '.json';
const StoredRule = z.object({
  /** Absolute and real. */
  folder: z.string(),
  rule: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  ...GIVER,
  run: z.string().optional(),
});

export type KeptRule = Readonly<z.infer<typeof StoredRule>> & { readonly file: string };

export type KeptFrom = Giver & { readonly run?: string | undefined };

export interface KeptRules {
  /** The oldest first; a file that cannot be read allows nothing. */
  of(workspace: string): readonly KeptRule[];
  all(): readonly KeptRule[];
  save(workspace: string, rules: readonly string[], from: KeptFrom): void;
  /** False: it was not kept. Work that has begun may still hold it. */
  forget(workspace: string, rule: string): boolean;
}

export function keptRules(place: {
  readonly fs: FileSystem;
  readonly clock: Pick<Clock, 'now'>;
  readonly dataFolder: string;
}): KeptRules {
  const { fs, clock, dataFolder } = place;
  const { join } = pathsOf(fs.platform);
  const at = (workspace: string) => folderPlace(place, ROOM, workspace);
  const fileOf = (directory: string, rule: string): string =>
    join(directory, `${sha256(rule).slice(0, 32)}${ENDING}`);
  const rulesIn = (directory: string): readonly KeptRule[] =>
    namesIn(fs, directory)
      // A kill can leave a temporary file.
      .filter((name) => name.endsWith(ENDING))
      .flatMap((name) => readRule(fs, join(directory, name)))
      .toSorted((one, other) => one.at - other.at);
  return {
    of: (workspace) => {
      const { folder, directory } = at(workspace);
      return rulesIn(directory).filter((one) => one.folder === folder);
    },
    all: () => {
      const room = join(dataFolder, ROOM);
      return namesIn(fs, room).flatMap((name) => rulesIn(join(room, name)));
    },
    save: (workspace, rules, from) => {
      const { folder, directory } = at(workspace);
      ensureDirectory(fs, directory);
      for (const rule of rules) {
        const stored = { folder, rule, at: clock.now(), ...from };
        replaceFile(fs, fileOf(directory, rule), Buffer.from(`${JSON.stringify(stored)}\n`));
      }
    },
    forget: (workspace, rule) => {
      const { directory } = at(workspace);
      try {
        fs.unlink(fileOf(directory, rule));
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
        return false;
      }
      syncDirectory(fs, directory);
      return true;
    },
  };
}

const namesIn = (fs: FileSystem, folder: string): readonly string[] =>
  orNull(() => fs.readdir(folder)) ?? [];

function readRule(fs: FileSystem, file: string): readonly KeptRule[] {
  const rule = readFileAs(fs, file, StoredRule);
  return rule === null ? [] : [{ ...rule, file }];
}
