/** The files that a goal only gives: what reads them may not change them. Pure. */
import { namedFiles } from '../languages/named-files.ts';
import type { RunState } from '../schema/state.ts';
import { isToBeRead } from './goal-kind.ts';
import { sameFile } from './named-facts.ts';

/** @param files of the workspace, relative with `/` */
export function givenOnly(
  { goal, files: known, commandChanges }: Pick<RunState, 'goal' | 'files' | 'commandChanges'>,
  files: readonly string[],
): readonly string[] {
  const isMade = (path: string): boolean =>
    (known[path]?.written === true && known[path].given === null) ||
    commandChanges.files[path]?.before === null;
  const isThere = (name: string): boolean => files.some(sameFile(name));
  const named = namedFiles(goal, isThere).filter((name) => isToBeRead(goal, name));
  return files.filter((path) => named.some((name) => sameFile(name)(path)) && !isMade(path));
}
