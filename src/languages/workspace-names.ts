import path from 'node:path';
import type { FileSystem } from '../lib/file-system.ts';
import { readBytes } from '../workspace/files.ts';
import { walk } from '../workspace/walk.ts';
import type { KnownNames } from './command-seen.ts';
import { isCache, LANGUAGES, languageOf } from './languages.ts';

/** What the files of the workspace define, by a quick look at the starts of their lines. */

const MAX_ENTRIES = 1000;
const MAX_READ_FILES = 100;
const MAX_FILE_BYTES = 64 * 1024;

/** What tells the name of a package, by the name of the file that describes it. */
const MANIFESTS = new Map(
  LANGUAGES.flatMap(({ machine }) =>
    machine?.packages ? [[machine.packages.describedBy, machine.packages.nameIn] as const] : [],
  ),
);

/** @param mayRead of a file from the workspace on, with `/` */
export function workspaceNames(
  fs: FileSystem,
  workspace: string,
  mayRead: (path: string) => boolean = () => true,
): KnownNames {
  const files: string[] = [];
  const definitions: { name: string; file: string }[] = [];
  const packages = new Set<string>();
  let seen = 0;
  let read = 0;
  for (const { path: file, info } of walk(fs, workspace, isCache)) {
    if (++seen > MAX_ENTRIES) break;
    if (info.kind !== 'file') continue;
    files.push(file);
    const describes = MANIFESTS.get(path.posix.basename(file));
    if (describes && info.size <= MAX_FILE_BYTES && mayRead(file))
      packages.add(describes(textOf(fs, path.join(workspace, file))));
    const { definedNames } = languageOf(file);
    if (!definedNames || info.size > MAX_FILE_BYTES || ++read > MAX_READ_FILES) continue;
    if (!mayRead(file)) continue;
    for (const name of definedNames(textOf(fs, path.join(workspace, file)))) {
      definitions.push({ name, file });
    }
  }
  packages.delete('');
  return { definitions, files, ...(packages.size > 0 ? { packages: [...packages] } : {}) };
}

function textOf(fs: FileSystem, absolute: string): string {
  try {
    return readBytes(fs, absolute).toString('utf8');
  } catch {
    return '';
  }
}
