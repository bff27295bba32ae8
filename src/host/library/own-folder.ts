import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';

/**
 * The folder of this package that contains its built programs; '' if nothing is built. The library is built into files
 * that lie beside the programs or one folder deeper.
 * @param from the URL of a module of the library
 */
export function ownFolder(from: string, isFile = isFileHere): string {
  const folders = ['./', '../'].map((up) => fileURLToPath(new URL(up, from)));
  return folders.find((folder) => isFile(join(folder, 'embedded-child.js'))) ?? '';
}

const isFileHere = (path: string): boolean =>
  orNull(() => nodeFileSystem.stat(path))?.kind === 'file';
