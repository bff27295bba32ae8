/**
 * Where runs of the tests note what belongs to a user (folders, before-images, keys), instead of the data folder
 * of whoever starts the tests. It is removed when the tests end.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** @param parent folder of temporary files. What `XDG_DATA_HOME` is to say, which only Linux reads. */
export function folderForData(parent: string): string {
  const folder = mkdtempSync(join(parent, 'tests-data-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
