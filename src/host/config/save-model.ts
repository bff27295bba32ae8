/** Saves the chosen model in the user's settings file; everything else in it stays as it is. */
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

/**
 * Returns the path. Throws E_IO and E_DISK_FULL. @param model as typed @param named the file that replaces the user's
 */
export function saveModel(
  fs: FileSystem,
  place: Pick<HostEnvironment, 'env' | 'platform' | 'cwd'>,
  model: string,
  named: string | null,
): string {
  const { resolve } = pathsOf(place.platform);
  const path = named === null ? userConfigPath(place) : resolve(place.cwd, named);
  ensureDirectory(fs, pathsOf(place.platform).dirname(path));
  // A link that the user made is kept.
  const file = kindOf(fs, path) === null ? path : fs.realpath(path);
  const before = readFileIfPresent(fs, file)?.toString('utf8') ?? '{}\n';
  const edits = modify(before, ['model'], model, { formattingOptions: INDENTED });
  replaceFile(fs, file, Buffer.from(applyEdits(before, edits)), 0o600);
  return path;
}
