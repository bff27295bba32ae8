/** Pure: Ctrl+R, a search in the history from the newest entry back. */
import type { InputDraft } from './editor.ts';

export interface Search {
  readonly words: string;
  /** The entry that was found; `null` if none matches. */
  readonly hit: string | null;
  /** How far back it is. */
  readonly back: number;
  /** The text that was being typed. */
  readonly kept: InputDraft;
}

/** @param from how far back the search begins; the newest is 1 */
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
  // At the oldest match, the search stays there.
  const isSame = words === before.words && wanted !== '';
  return isSame ? before : { ...before, words, hit: null, back: 0 };
}
