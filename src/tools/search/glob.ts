/** Patterns with `*`, `**`, `?`, `[...]` and `{a,b}`, in time proportional to pattern and path. Pure. */
import { shortened } from '../../lib/text/shortened.ts';

const MAX_CHOICES = 64;

/**
 * @param pattern with `/` between folders; without one it matches a name in any folder
 * @returns a test for paths with `/`
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const plain = pattern.replaceAll('\\', '/').replace(/^\.\//, '').replace(/^\/+/, '');
  const choices = choicesOf(plain).map((choice) => {
    // Parsed once, not for every path.
    const parts = choice.split('/').flatMap((part) => (part === '' ? [] : [globParts(part)]));
    return choice.includes('/') ? parts : [globParts('**'), ...parts];
  });
  return (path) => {
    const names = path.split('/');
    return choices.some((parts) => matchesPath(parts, names));
  };
}

/** Whether a name stands for several files. Brackets alone count as part of a name. */
export const isPattern = (name: string): boolean => /[*?]|\{[^{}]*,[^{}]*\}/.test(name);

/**
 * Whether a path is what a plan names, or lies below it or below a match of its pattern.
 * @param name without a trailing `/`; `.` is the whole folder
 */
export function pathMatcher(name: string): (path: string) => boolean {
  if (name === '.') return () => true;
  const matches = isPattern(name) ? globMatcher(name) : (path: string) => path === name;
  return (path) => {
    const names = path.split('/');
    return names.some((_, index) => matches(names.slice(0, index + 1).join('/')));
  };
}

/** Why a pattern is refused; `null`: it is accepted. */
export const tooManyChoices = (pattern: string): string | null =>
  choicesOf(pattern).length > MAX_CHOICES
    ? `The braces in ${shortened(pattern, 60)} stand for more than ${MAX_CHOICES} patterns. Give several simpler ones.`
    : null;

/** One pattern for each alternative in braces; stops just above the permitted number. */
function choicesOf(pattern: string): readonly string[] {
  let open = [pattern];
  while (open.length <= MAX_CHOICES) {
    const next = open.flatMap((one) => {
      const found = /\{([^{}]*,[^{}]*)\}/.exec(one);
      if (!found) return [one];
      const [braces, words = ''] = found;
      const [before, after] = [one.slice(0, found.index), one.slice(found.index + braces.length)];
      return words.split(',').map((word) => before + word + after);
    });
    if (next.length === open.length) return open;
    open = next;
  }
  return open;
}

/** Greedy with one place to backtrack to: a later `**` can match everything that an earlier one could. */
function matchesPath(parts: readonly GlobParts[], names: readonly string[]): boolean {
  const isAny = (part: GlobParts): boolean => part.length === 2 && part.every((one) => one === '*');
  return matches(parts, names, isAny, matchesName);
}

/** The parts of one name: its letters, `*`, `?` and classes. */
type GlobParts = readonly string[];

const globParts = (pattern: string): GlobParts => pattern.match(/\[!?[^\]]+\]|[\s\S]/gu) ?? [];

function matchesName(pieces: GlobParts, name: string): boolean {
  return matches(pieces, [...name], (piece) => piece === '*' || piece === '**', matchesOne);
}

function matches<Piece, Item>(
  pieces: readonly Piece[],
  items: readonly Item[],
  isAny: (piece: Piece) => boolean,
  isOne: (piece: Piece, item: Item) => boolean,
): boolean {
  let [at, item] = [0, 0];
  let star: { readonly at: number; item: number } | null = null;
  while (item < items.length) {
    const piece = pieces[at];
    if (piece !== undefined && isAny(piece)) {
      star = { at, item };
      at += 1;
    } else if (piece !== undefined && isOne(piece, items[item] as Item)) {
      at += 1;
      item += 1;
    } else if (star !== null) {
      star.item += 1;
      item = star.item;
      at = star.at + 1;
    } else return false;
  }
  return pieces.slice(at).every(isAny);
}

function matchesOne(piece: string, character: string): boolean {
  if (piece === '?' || piece === character) return true;
  const [, not = '', set = ''] = /^\[(!?)([^\]]+)\]$/u.exec(piece) ?? [];
  if (set === '') return false;
  const isIn = /[\s\S]-[\s\S]|[\s\S]/gu;
  const found = (set.match(isIn) ?? []).some((range) => {
    const [from = '', , to = from] = [...range];
    return from <= character && character <= to;
  });
  return found !== (not === '!');
}
