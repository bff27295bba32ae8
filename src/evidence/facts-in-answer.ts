/**
 * Figures and names of an answer, told by their shape and never by what they mean: digits in any
 * script, what stands in marks of its own, names with an ending, names as programs have them. Pure.
 */

/** The number of an item of a list is no figure. */
const ITEM_NUMBER = /^\s*\p{Nd}+[.)]\s/gmu;
/** `config.js:12-15`: the lines of a file are counted by whoever names them. */
const LINES_OF_FILE = /(?<=\.[a-z][a-z0-9]{0,4}):\p{Nd}+(?:[-:\u2013]\p{Nd}+)*/giu;
/** A unit may stand beside it: `640kg`. */
const FIGURE =
  /(?<![A-Za-z\p{Nd}_.,])\p{Nd}(?:[\p{Nd}.,]*\p{Nd})?(?=[A-Za-z%]{0,3}(?![A-Za-z\p{Nd}_]))/gu;
const NUMBER = /\p{Nd}(?:[\p{Nd}.,]*\p{Nd})?/gu;
/** What stands in marks: `` `a` ``, "a", and the same of other scripts. */
const MARKED =
  /`([^`\n]+)`|"([^"\n]+)"|\u201c([^\u201d\n]+)\u201d|\u201e([^\u201c\u201d\n]+)[\u201c\u201d]|\u00ab([^\u00bb\n]+)\u00bb|\u300c([^\u300d\n]+)\u300d/gu;
const FILE = String.raw`(?<![\w./-])(?:[\w./-]*[\w/-]{2}\.[a-z][a-z0-9]{0,4}|[\w./-]+\.[a-z][a-z0-9]{1,4})(?!\w)`;
const SNAKE = String.raw`(?<![\p{L}\p{Nd}_])[\p{L}\p{Nd}_]+_[\p{L}\p{Nd}_]*\*?`;
const CAMEL = String.raw`(?<![\p{L}\p{Nd}_])\p{Ll}+\p{Lu}[\p{L}\p{Nd}]+`;
const NAME = new RegExp(`${FILE}|${SNAKE}|${CAMEL}`, 'gu');

export interface AnswerFacts {
  readonly figures: readonly string[];
  readonly names: readonly string[];
}

/** In the order in which they stand, each once. */
export function factsInAnswer(answer: string): AnswerFacts {
  const text = answer.replaceAll(ITEM_NUMBER, ' ').replaceAll(LINES_OF_FILE, '');
  const marked = [...text.matchAll(MARKED)].map((found) => found.slice(1).find(Boolean) ?? '');
  // What is inside of marks stands there as a whole.
  const rest = text.replaceAll(MARKED, ' ');
  const named = rest.match(NAME) ?? [];
  const figures = rest.replaceAll(NAME, ' ').match(FIGURE) ?? [];
  const isFigure = (word: string): boolean => FIGURE_ALONE.test(word);
  return {
    figures: [...new Set([...figures, ...marked.filter(isFigure)])],
    names: [...new Set([...marked.filter((word) => !isFigure(word)), ...named].map(trimmed))],
  };
}

const FIGURE_ALONE = /^\p{Nd}(?:[\p{Nd}.,]*\p{Nd})?$/u;

/** `group()` is the name of a function. */
const trimmed = (name: string): string => name.trim().replace(/\(\)$/, '');

/** The figures of a text, each in one form. */
export const figuresIn = (text: string): ReadonlySet<string> =>
  new Set((text.match(NUMBER) ?? []).map(asFigure));

/** Marks between thousands make no difference, nor do the digits of wide scripts. */
export const asFigure = (figure: string): string => {
  const plain = figure.normalize('NFKC');
  return /^\d{1,3}(?:[.,]\d{3})+$/.test(plain) ? plain.replaceAll(/[.,]/g, '') : plain;
};

/** Capitals and spaces make no difference. */
export const asName = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
