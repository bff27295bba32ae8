/** Decides whether the conversation currently holds the full text of a file, neither cut nor compacted. Pure. */
import type { RunState } from '../schema/state.ts';

/**
 * True when rewriting the whole file cannot lose anyone's content: the run made the file, or the conversation
 * shows its current or its original text.
 */
export function isInView(
  { conversation, files, guided }: Pick<RunState, 'conversation' | 'files' | 'guided'>,
  path: string,
): boolean {
  const { hash = null, baseline = null } = files[path] ?? {};
  if (hash === null || baseline === null) return true;
  // A plain try's answer is judged by the text that the try showed.
  const tried = guided.plainTry?.is === 'answered' ? [guided.plainTry] : [];
  const shown = [...tried, ...conversation].flatMap(({ shows = [] }) =>
    shows.filter((one) => one.path === path && one.from === undefined),
  );
  const seen = new Set<string>();
  const isShown = (wanted: string): boolean => {
    if (seen.has(wanted)) return false;
    seen.add(wanted);
    return shown.some(
      (one) => one.hash === wanted && (one.base === undefined || isShown(one.base)),
    );
  };
  return [hash, baseline].some(isShown);
}
