/** Whether the whole text of a file is in the conversation now: not cut, not compacted away. Pure. */
import type { RunState } from '../schema/state.ts';

/**
 * True where nothing of anybody's can be lost by writing the file whole: the run made it, or its
 * present text is in view, or the one that its new content is measured by.
 */
export function isInView(
  { conversation, files, guided }: Pick<RunState, 'conversation' | 'files' | 'guided'>,
  path: string,
): boolean {
  const { hash = null, given = null } = files[path] ?? {};
  if (hash === null || given === null) return true;
  // What a plain try showed its answer is carried out by.
  const tried = guided.plainTry?.is === 'answered' ? [guided.plainTry] : [];
  const shown = [...tried, ...conversation].flatMap(({ shows = [] }) =>
    shows.filter((one) => one.path === path && one.from === undefined),
  );
  const isShown = (wanted: string, edits: number): boolean =>
    edits >= 0 &&
    shown.some(
      (one) => one.hash === wanted && (one.base === undefined || isShown(one.base, edits - 1)),
    );
  return [hash, given].some((text) => isShown(text, shown.length));
}
