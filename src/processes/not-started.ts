import { existsSync, statSync } from 'node:fs';
import { orNull } from '../lib/or-null.ts';

/**
 * What was missing when a program was to be started in a folder, in words. The system gives the same error for the
 * folder, the program and its interpreter, and Node blames the program. `null`: that was not the error.
 */
export function notFound(
  error: unknown,
  { file, cwd }: { readonly file: string; readonly cwd: string },
): string | null {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return null;
  const isFolder = orNull(() => statSync(cwd))?.isDirectory() === true;
  if (!isFolder) return `the folder ${cwd} does not exist (${code})`;
  if (code === 'ENOTDIR') return null;
  const what = existsSync(file) ? `the interpreter of ${file}` : file;
  return `${what} does not exist (${code})`;
}
