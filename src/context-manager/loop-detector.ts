/**
 * Detects loops in the last ten actions and blocks calls that repeat without effect. Pure.
 * Progress is a state of the workspace that this window has not seen before. Returning to an earlier state
 * cancels the progress since then, because what lies between led nowhere.
 */
import type {
  LoopBlock,
  LoopEntry,
  LoopRule,
  LoopWindow,
} from '../schema/state-parts/run-facts.ts';

const WINDOW = 10;
const SAME_RESULT_LIMIT = 3;
const WHATEVER_RESULT_LIMIT = 6;
/** Limits the size of the state. */
const MAX_BLOCKED = 32;
const MAX_LIFTED = 32;
const CALLS_NAMED = 4;

const RULES: { readonly [rule in LoopRule]: string } = {
  repeated: `This call was made ${SAME_RESULT_LIMIT} times with the same result, and no file got a new content in between.`,
  alternating:
    'This call and one other took turns twice with the same results, and no file got a new content.',
  spam: `This call was made ${WHATEVER_RESULT_LIMIT} times without looking at or changing a file in between.`,
};
const WAY_OUT =
  'It will not be run again until a file has a content that it did not have before: ' +
  'change one, or do something else.';

export const EMPTY_LOOP_WINDOW: LoopWindow = { entries: [], blocked: {}, lifted: [] };

/** When an action ended. */
export type LoopPlace = Pick<LoopBlock, 'at' | 'round'>;

/**
 * Adds one executed action to the window. A new state of the workspace lifts all blocks. Only the rule that
 * counts six calls regardless of their results still applies, to the call itself.
 */
export function observe(window: LoopWindow, entry: LoopEntry, place: LoopPlace): LoopWindow {
  const entries = [...window.entries, entry].slice(-WINDOW);
  const standing = lastProgress(entries);
  const isNew = entry.reached !== null && standing === entries.length - 1;
  const added = newBlocks(entries, standing, place);
  const blocked = { ...(isNew ? {} : window.blocked), ...added };
  const lifted = isNew ? [...window.lifted, ...Object.values(window.blocked)] : window.lifted;
  const isOther = window.entries.every(({ signature }) => signature !== entry.signature);
  const { insisted } = window;
  return {
    entries,
    blocked: Object.fromEntries(Object.entries(blocked).slice(-MAX_BLOCKED)),
    lifted: lifted.slice(-MAX_LIFTED),
    ...(insisted === undefined || isNew || isOther ? {} : { insisted }),
  };
}

/** Counts a refused call, as long as there is a block that the model may insist on. */
export function insist(window: LoopWindow): LoopWindow {
  if (Object.keys(window.blocked).length === 0) return window;
  return { ...window, insisted: (window.insisted ?? 0) + 1 };
}

/** Why a call must not run now and what was tried, worded for the model; `null`: it may run. */
export function blockReason({ blocked, entries }: LoopWindow, signature: string): string | null {
  const block = Object.hasOwn(blocked, signature) ? blocked[signature] : undefined;
  return block === undefined ? null : `${RULES[block.rule]} ${WAY_OUT} ${tried(entries)}`;
}

/** The calls of the window, each once, the most frequent first. */
function tried(entries: readonly LoopEntry[]): string {
  const counts = new Map<string, number>();
  for (const { tool, target, args } of entries) {
    const call = `${tool} ${target || args}`;
    counts.set(call, (counts.get(call) ?? 0) + 1);
  }
  const most = [...counts].sort(([, one], [, other]) => other - one).slice(0, CALLS_NAMED);
  return `Tried: ${most.map(([call, count]) => `${call} (${count}x)`).join('; ')}.`;
}

/** The index of the latest progress that still counts; -1: none. */
function lastProgress(entries: readonly LoopEntry[]): number {
  return endsInNewContent(entries) ? entries.length - 1 : progressByStates(entries);
}

/** The usual case: a content that no state in the window has, so no states need comparing. */
function endsInNewContent(entries: readonly LoopEntry[]): boolean {
  const reached = entries.at(-1)?.reached ?? null;
  if (reached === null) return false;
  const before = entries.slice(0, -1);
  return Object.entries(reached).some(
    ([path, hash]) => !before.some((entry) => hadContent(entry, path, hash ?? '')),
  );
}

const hadContent = ({ reached }: LoopEntry, path: string, content: string): boolean =>
  reached !== null && Object.hasOwn(reached, path) && (reached[path] ?? '') === content;

function progressByStates(entries: readonly LoopEntry[]): number {
  const seen = new Set<string>();
  const standing: { readonly index: number; readonly state: string }[] = [];
  for (const [index, state] of statesOf(entries).entries()) {
    if (state === null) continue;
    const first = standing.findIndex((progress) => progress.state === state);
    if (first >= 0) standing.length = first + 1;
    else if (!seen.has(state)) standing.push({ index, state });
    seen.add(state);
  }
  return standing.at(-1)?.index ?? -1;
}

/**
 * The state of the workspace after each action, as far as the window shows it; `null`: unchanged. Every file
 * content gets a number, so equal states can be compared cheaply.
 */
function statesOf(entries: readonly LoopEntry[]): readonly (string | null)[] {
  const numbers = new Map<string, number>();
  const files = new Map<string, number>();
  return entries.map(({ reached }) => {
    if (reached === null) return null;
    if (Object.hasOwn(reached, '')) files.clear();
    for (const [path, hash] of Object.entries(reached)) {
      const content = `${path}\0${hash ?? ''}`;
      const number = numbers.get(content) ?? numbers.size;
      numbers.set(content, number);
      files.set(path, number);
    }
    return [...files.values()].sort((one, other) => one - other).join();
  });
}

/** @param standing the index of the latest progress, before which nothing counts; or -1 */
function newBlocks(
  entries: readonly LoopEntry[],
  standing: number,
  place: LoopPlace,
): LoopWindow['blocked'] {
  const [latest] = entries.slice(-1);
  if (!latest) return {};
  const same = entries.slice(standing + 1).filter((entry) => isSame(entry, latest));
  if (same.length >= SAME_RESULT_LIMIT) return blocking('repeated', [latest], place);

  // The turns include the progress with which they began. If they change files, other calls between them may
  // differ.
  const turns = entries.slice(Math.max(0, standing));
  const changes = latest.reached === null ? [] : turns.filter(({ reached }) => reached !== null);
  const pair = turnsOf(turns) ?? turnsOf(changes);
  if (pair) return blocking('alternating', pair, place);

  const withoutFiles = entries.slice(entries.findLastIndex((entry) => entry.fileTool) + 1);
  const repeats = withoutFiles.filter((entry) => entry.signature === latest.signature);
  return repeats.length >= WHATEVER_RESULT_LIMIT ? blocking('spam', [latest], place) : {};
}

/** Two calls that alternated twice at the end with the same results. */
function turnsOf(entries: readonly LoopEntry[]): readonly LoopEntry[] | null {
  const [first, second, third, fourth] = entries.slice(-4);
  if (!first || !second || !third || !fourth || first.signature === second.signature) return null;
  return isSame(first, third) && isSame(second, fourth) ? [first, second] : null;
}

const blocking = (
  rule: LoopRule,
  entries: readonly LoopEntry[],
  place: LoopPlace,
): LoopWindow['blocked'] =>
  Object.fromEntries(
    entries.map(({ signature, tool, target, args }) => [
      signature,
      { tool, target, args, rule, ...place },
    ]),
  );

function isSame(one: LoopEntry, other: LoopEntry): boolean {
  return one.signature === other.signature && one.result === other.result;
}

/** The order matters: wide patterns come first, so that their parts are not replaced before. */
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

/** Removes from a result what differs from run to run: numbers, times, durations, paths, hex. */
export function normaliseResult(text: string): string {
  return VOLATILE.reduce((rest, [pattern, word]) => rest.replace(pattern, word), text).trim();
}
