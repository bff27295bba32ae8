/** Pure: Ctrl+R, a search in what was said before, from the last one back. */
import type { Draft } from './editor.ts';

export interface Search {
  readonly words: string;
  /** What was found; `null` where nothing has these words. */
  readonly hit: string | null;
  /** How far back it stands. */
  readonly back: number;
  /** What was being typed. */
  readonly kept: Draft;
}

/** @param from how far back it begins to look; the newest is 1 */
export function found(
  before: Search,
  history: readonly string[],
  words: string,
  from: number,
): Search {
  const wanted = words.toLowerCase();
  for (let back = from; wanted !== '' && back <= history.length; back += 1) {
    const hit = history[history.length - back] ?? '';
    if (hit.toLowerCase().includes(wanted)) return { ...before, words, hit, back };
  }
  // At the oldest it stays.
  const isSame = words === before.words && wanted !== '';
  return isSame ? before : { ...before, words, hit: null, back: 0 };
}
