/** Lists what a run did to files. Pure. */

import { withheldPaths } from '../../schema/journal/swap.ts';
import type { RunState } from '../../schema/state.ts';

/** Withheld files are not in the folder, so they are not listed. */
export function filesWritten(state: RunState): string[] {
  const withheld = withheldPaths(state);
  return Object.entries(state.files)
    .filter(([path, file]) => file.written && file.hash !== null && !withheld.has(path))
    .map(([path]) => path)
    .sort();
}

export type CommandFiles = ReturnType<typeof commandFiles>;

/** True if a command changed a file, and no tool wrote it. */
export const onlyByCommand = (
  { commandChanges, files }: Pick<RunState, 'commandChanges' | 'files'>,
  path: string,
): boolean => commandChanges.files[path] !== undefined && files[path]?.written !== true;

/** Files that a tool wrote as well are listed as files of the run instead. */
export function commandFiles(state: RunState) {
  const { commandChanges } = state;
  const withheld = withheldPaths(state);
  const all = Object.entries(commandChanges.files).filter(
    ([path]) => onlyByCommand(state, path) && !withheld.has(path),
  );
  const seen = all.filter(([, { isUnseen }]) => !isUnseen);
  const paths = (list: typeof all): string[] => list.map(([path]) => path).sort();
  return {
    // Files that existed before.
    changed: paths(seen.filter(([, { before, after }]) => before !== null && after !== null)),
    removed: paths(seen.filter(([, { before, after }]) => before !== null && after === null)),
    made: paths(seen.filter(([, { before, after }]) => before === null && after !== null)),
    // Files that a command changed, created or removed and of which nothing was kept.
    notKept: Object.keys(commandChanges.uncovered).sort(),
    // Files that changed unobserved, by a command or by someone else.
    unseen: paths(all.filter(([, { isUnseen }]) => isUnseen)),
    // Files that changed while a command ran and are as before again.
    putBack: Object.keys(commandChanges.putBack ?? {}).sort(),
    // How many more there are beyond those named.
    more: commandChanges.more,
  };
}
