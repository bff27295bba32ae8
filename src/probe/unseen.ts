/** Names and figures of an answer that nothing which the run saw says. Pure. */

const MAX_NAMED = 5;
/** The number of an item of a list is no figure. */
const ITEM_NUMBER = /^\s*\d+[.)]\s/gm;
const FIGURE = /(?<![\w.,])\d(?:[\d.,]*\d)?(?![\w])/g;
/** In what was seen it may stand beside its unit: `640kg`. */
const NUMBER = /\d(?:[\d.,]*\d)?/g;
/** What stands in marks of its own, a name with an ending, a name as programs have them. */
const NAMES =
  /`([^`\n]+)`|"([^"\n]+)"|\b([\w./-]+\.[a-z][a-z0-9]{0,4})\b|\b(\w+_\w+|[a-z]+[A-Z]\w+)\b/g;

/** @param seen what the run read and printed, and the goal */
export function unseenIn(answer: string, seen: readonly string[]): readonly string[] {
  const text = answer.replaceAll(ITEM_NUMBER, '');
  const names = [...text.matchAll(NAMES)].map((found) => found.slice(1).find(Boolean) ?? '');
  const figures = [...text.matchAll(FIGURE)].map(([figure]) => figure);
  const whole = seen.map(plain);
  const numbers = new Set(whole.flatMap((one) => one.match(NUMBER) ?? []));
  const unseen = [
    ...figures.filter((figure) => !numbers.has(plain(figure))),
    ...names.filter((name) => !whole.some((one) => one.includes(plain(name)))),
  ];
  return [...new Set(unseen)].slice(0, MAX_NAMED);
}

/**
 * How many names, figures and words of the answer stand in what was seen and not in the goal:
 * "It is done" tells nothing, in whatever language. What is shorter than a word of four letters
 * stands everywhere.
 */
export function toldIn(
  answer: string,
  { goal, seen }: { readonly goal: string; readonly seen: readonly string[] },
): number {
  const asked = new Set(wordsOf(goal));
  const found = new Set(seen.flatMap(wordsOf));
  return wordsOf(answer).filter((word) => found.has(word) && !asked.has(word)).length;
}

const wordsOf = (text: string): readonly string[] =>
  plain(text).match(/\d+|\p{L}{4,}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu) ?? [];

/** Capitals, spaces and the commas in large figures make no difference. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/(?<=\d),(?=\d{3}\b)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
