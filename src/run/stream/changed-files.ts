/** Pure: what a run did to files, as a list. */

import { withheldPaths } from '../../schema/journal/swap.ts';
import type { RunState } from '../../schema/state.ts';

/** What is withheld is not in the folder, and is not in the list. */
export function filesWritten(state: RunState): string[] {
  const withheld = withheldPaths(state);
  return Object.entries(state.files)
    .filter(([path, file]) => file.written && file.hash !== null && !withheld.has(path))
    .map(([path]) => path)
    .sort();
}

export interface CommandFiles {
  /** Files that were there before. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly made: readonly string[];
  /** Changed, made or removed by a command, and of which nothing is kept. */
  readonly notKept: readonly string[];
  /** Changed while nobody watched, by a command or by somebody else. */
  readonly unseen: readonly string[];
  /** Beyond those that are named. */
  readonly more: number;
}

/** What a tool wrote as well is named with the files of the run. */
export function commandFiles(state: RunState): CommandFiles {
  const { commandChanges, files } = state;
  const withheld = withheldPaths(state);
  const all = Object.entries(commandChanges.files).filter(
    ([path]) => !files[path]?.written && !withheld.has(path),
  );
  const seen = all.filter(([, { isUnseen }]) => !isUnseen);
  const paths = (list: typeof all): string[] => list.map(([path]) => path).sort();
  return {
    changed: paths(seen.filter(([, { before, after }]) => before !== null && after !== null)),
    removed: paths(seen.filter(([, { before, after }]) => before !== null && after === null)),
    made: paths(seen.filter(([, { before, after }]) => before === null && after !== null)),
    notKept: Object.keys(commandChanges.uncovered).sort(),
    unseen: paths(all.filter(([, { isUnseen }]) => isUnseen)),
    more: commandChanges.more,
  };
}
