import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of this package that holds its built programs. The library is built into pieces, which
 * lie beside them or one folder deeper.
 * @param from the URL of a module of the library
 */
export function ownFolder(from: string, isThere: (path: string) => boolean = existsSync): string {
  const folders = ['./', '../'].map((up) => fileURLToPath(new URL(up, from)));
  return folders.find((folder) => isThere(join(folder, 'embedded-child.js'))) ?? '';
}
