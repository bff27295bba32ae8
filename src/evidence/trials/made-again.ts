/**
 * Finds the put-back files of a copy that a command there wrote again, exactly as they are in the workspace.
 */
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { readFileIfPresent } from '../../lib/files/durable-files.ts';
import { orNull } from '../../lib/or-null.ts';
import type { ScratchRun } from '../../schema/evidence.ts';
import type { WorkPort } from '../work.ts';
import type { CopyPort } from './in-copy.ts';

export function madeAgain(
  paths: readonly string[],
  {
    world,
    scratch,
    toolContext: { fs },
  }: Pick<WorkPort, 'world'> & Pick<CopyPort, 'scratch' | 'toolContext'>,
): Pick<ScratchRun, 'made'> {
  const placeOf = (path: string): string =>
    pathsOf(fs.platform).join(scratch.folder, ...path.split('/'));
  const textIn = (path: string): string | undefined =>
    orNull(() => readFileIfPresent(fs, placeOf(path)))?.toString('utf8');
  const made = paths.filter((path) => textIn(path) === world.readText(path));
  return made.length === 0 ? {} : { made };
}
