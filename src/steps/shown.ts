/** Whether the whole text of a file is in the conversation now: not cut, not compacted away. Pure. */
import type { RunState } from '../schema/state.ts';

/**
 * True where nothing of anybody's can be lost by writing the file whole: the run made it, or its
 * present text, or the one that its new content is measured by, is in view.
 */
export function isInView(
  { conversation, files }: Pick<RunState, 'conversation' | 'files'>,
  path: string,
): boolean {
  const { hash = null, given = null } = files[path] ?? {};
  if (hash === null || given === null) return true;
  const shown = conversation.flatMap(({ shows = [] }) =>
    shows.filter((one) => one.path === path && one.from === undefined),
  );
  const isShown = (wanted: string, edits: number): boolean =>
    edits >= 0 &&
    shown.some(
      (one) => one.hash === wanted && (one.base === undefined || isShown(one.base, edits - 1)),
    );
  return isShown(hash, shown.length) || isShown(given, shown.length);
}
