/** The model that was chosen, as the user's settings file keeps it: whatever else stands there stays as it is. */
import { applyEdits, modify } from 'jsonc-parser';
import {
  ensureDirectory,
  kindOf,
  readFileIfPresent,
  replaceFile,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { pathsOf } from '../../workspace/jail.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { userConfigPath } from './find.ts';

const INDENTED = { insertSpaces: true, tabSize: 2, eol: '\n' };

/** The file. Throws E_IO and E_DISK_FULL. @param model as it is typed @param named the file that stands in its place */
export function saveModel(
  fs: FileSystem,
  place: Pick<HostEnvironment, 'env' | 'platform' | 'cwd'>,
  model: string,
  named: string | null,
): string {
  const { resolve } = pathsOf(place.platform);
  const path = named === null ? userConfigPath(place) : resolve(place.cwd, named);
  ensureDirectory(fs, pathsOf(place.platform).dirname(path));
  // A link of the user's own keeps leading where it leads.
  const file = kindOf(fs, path) === null ? path : fs.realpath(path);
  const before = readFileIfPresent(fs, file)?.toString('utf8') ?? '{}\n';
  const edits = modify(before, ['model'], model, { formattingOptions: INDENTED });
  replaceFile(fs, file, Buffer.from(applyEdits(before, edits)), 0o600);
  return path;
}
