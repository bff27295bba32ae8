/** Pure: what the last ten actions say about going in circles, and which calls are closed by it. */
import type { LoopEntry, LoopWindow } from '../schema/run-facts.ts';

const WINDOW = 10;
const SAME_RESULT_LIMIT = 3;
const WHATEVER_RESULT_LIMIT = 6;
/** Blocks kept between two changes of the workspace; the state of a run is bounded. */
const MAX_BLOCKED = 32;

const REPEATED =
  `This call was made ${SAME_RESULT_LIMIT} times with the same result, and no file changed in between. ` +
  'It will not be run again until a file changes: change a file, or do something else.';
const ALTERNATING =
  'This call and one other took turns twice with the same results, and no file changed in between. ' +
  'Neither will be run again until a file changes: change a file, or do something else.';
const SPAM =
  `This call was made ${WHATEVER_RESULT_LIMIT} times without looking at or changing a file in between. ` +
  'It will not be run again until a file changes: change a file, or do something else.';

export const EMPTY_LOOP_WINDOW: LoopWindow = { entries: [], blocked: {} };

/**
 * Takes one carried-out action into the window. A change of the workspace lifts every block; the
 * rule that counts six calls whatever their results holds even then, for the call itself.
 */
export function observe(window: LoopWindow, entry: LoopEntry): LoopWindow {
  const entries = [...window.entries, entry].slice(-WINDOW);
  const blocked = { ...(entry.changed ? {} : window.blocked), ...newBlocks(entries, entry) };
  return { entries, blocked: Object.fromEntries(Object.entries(blocked).slice(-MAX_BLOCKED)) };
}

/** Why a call must not run now, as a sentence for the model; `null`: it may. */
export function blockReason(window: LoopWindow, signature: string): string | null {
  return Object.hasOwn(window.blocked, signature) ? (window.blocked[signature] ?? null) : null;
}

function newBlocks(
  entries: readonly LoopEntry[],
  latest: LoopEntry,
): { readonly [signature: string]: string } {
  const unchanged = entries.slice(entries.findLastIndex((entry) => entry.changed) + 1);
  const same = unchanged.filter((entry) => isSame(entry, latest));
  if (same.length >= SAME_RESULT_LIMIT) return { [latest.signature]: REPEATED };

  const [first, second, third, fourth] = unchanged.slice(-4);
  if (first && second && third && fourth && first.signature !== second.signature)
    if (isSame(first, third) && isSame(second, fourth))
      return { [first.signature]: ALTERNATING, [second.signature]: ALTERNATING };

  const withoutFiles = entries.slice(entries.findLastIndex((entry) => entry.fileTool) + 1);
  const repeats = withoutFiles.filter((entry) => entry.signature === latest.signature);
  return repeats.length >= WHATEVER_RESULT_LIMIT ? { [latest.signature]: SPAM } : {};
}

function isSame(one: LoopEntry, other: LoopEntry): boolean {
  return one.signature === other.signature && one.result === other.result;
}

/** Order matters: the wide forms first, so that their parts are not replaced before them. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with ESC
  [/\u001b\[[0-9;]*[A-Za-z]/g, ''],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<hex>'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)?(?:Z|[+-]\d\d:?\d\d)?\b/g, '<time>'],
  [/\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s?[AP]M\b)?/gi, '<time>'],
  [/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\b,?/g, '<day>'],
  [/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b(?=\s+\d)/g, '<month>'],
  [/(?:\b[A-Za-z]:)?(?:[\\/][\w.~+@-]+){2,}[\\/]?|\b[A-Za-z]:[\\/][\w.~+@-]*/g, '<path>'],
  [/\b0x[0-9a-f]+\b/gi, '<hex>'],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b/gi, '<hex>'],
  [/\b\d+(?:[.,]\d+)?\s?(?:ns|[µu]s|ms|s|sec|secs|seconds?|m|min|minutes?|h|hours?)\b/g, '<time>'],
  [/\d+(?:[.,]\d+)*/g, '<n>'],
  [/\s+/g, ' '],
];

/** A result with what differs from run to run taken out: numbers, times, durations, paths, hex. */
export function normaliseResult(text: string): string {
  return VOLATILE.reduce((rest, [pattern, word]) => rest.replace(pattern, word), text).trim();
}
