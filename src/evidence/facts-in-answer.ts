/**
 * Extracts figures and names from an answer by their form, never by their meaning: digits of any script, quoted
 * text, names with an extension, names in the style of program identifiers. Pure.
 */
import { onOneLine } from '../lib/text/one-line.ts';

/** The number of a list item is not a figure. */
const ITEM_NUMBER = /^[^\S\n\r\u2028\u2029]*\p{Nd}+[.)]\s/gmu;
/** `config.js:12-15`: line numbers come from the model's own counting, so they are not figures. */
const LINES_OF_FILE = /(?<=\.[a-z][a-z0-9]{0,4}):\p{Nd}+(?:[-:\u2013]\p{Nd}+)*/giu;
/** A unit may follow directly: `640kg`. */
const FIGURE =
  /(?<![A-Za-z\p{Nd}_.,])\p{Nd}(?:[\p{Nd}.,]*\p{Nd})?(?=[A-Za-z%]{0,3}(?![A-Za-z\p{Nd}_]))/gu;
const NUMBER = /\p{Nd}(?:[\p{Nd}.,]*\p{Nd})?/gu;
/**
 * Quoted text: `` `a` ``, "a", and the quotation marks of other scripts. None holds the mark that opens it, so
 * that a text of opening marks is read once.
 */
const MARKED =
  /`([^`\n]+)`|"([^"\n]+)"|\u201c([^\u201c\u201d\n]+)\u201d|\u201e([^\u201c-\u201e\n]+)[\u201c\u201d]|\u00ab([^\u00ab\u00bb\n]+)\u00bb|\u300c([^\u300c\u300d\n]+)\u300d/gu;
const FILE = String.raw`(?<![\w./-])(?:[\w./-]*[\w/-]{2}\.[a-z][a-z0-9]{0,4}|[\w./-]+\.[a-z][a-z0-9]{1,4})(?!\w)`;
const SNAKE = String.raw`(?<![\p{L}\p{Nd}_])[\p{L}\p{Nd}_]+_[\p{L}\p{Nd}_]*\*?`;
const CAMEL = String.raw`(?<![\p{L}\p{Nd}_])\p{Ll}+\p{Lu}[\p{L}\p{Nd}]+`;
const NAME = new RegExp(`${FILE}|${SNAKE}|${CAMEL}`, 'gu');

/** Lists each fact once, in order of appearance. */
export function factsInAnswer(answer: string) {
  const text = answer.replaceAll(ITEM_NUMBER, ' ').replaceAll(LINES_OF_FILE, '');
  const marked = [...text.matchAll(MARKED)].map((found) => found.slice(1).find(Boolean) ?? '');
  // Quoted text counts as a whole, so its parts are not searched again.
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

/** Turns `group()` into the function's name. */
const trimmed = (name: string): string => name.trim().replace(/\(\)$/, '');

export const figuresIn = (text: string): ReadonlySet<string> =>
  new Set((text.match(NUMBER) ?? []).map(asFigure));

/** Ignores thousands separators and the full-width forms of digits. A single point may be a decimal point. */
export const asFigure = (figure: string): string => {
  const plain = figure.normalize('NFKC');
  const isGrouped = /^\d{1,3}(?:(?:,\d{3})+|(?:\.\d{3}){2,})$/.test(plain);
  return isGrouped ? plain.replaceAll(/[.,]/g, '') : plain;
};

/** Ignores case and white space. */
export const asName = (text: string): string => onOneLine(text.normalize('NFKC').toLowerCase());

/** A text in the forms that are compared, each computed once. */
export interface Normalised {
  readonly text: string;
  readonly figures: ReadonlySet<string>;
  readonly name: string;
  readonly lines: readonly Normalised[];
}

export function normalised(text: string): Normalised {
  let figures: ReadonlySet<string> | undefined;
  let name: string | undefined;
  let lines: readonly Normalised[] | undefined;
  return {
    text,
    get figures() {
      figures ??= figuresIn(text);
      return figures;
    },
    get name() {
      name ??= asName(text);
      return name;
    },
    get lines() {
      lines ??= text.split(/\r?\n/).map(normalised);
      return lines;
    },
  };
}

/**
 * True if a text contains all parts of a name that an answer joins: `Lexer.next` for the method `next(` of a
 * class `Lexer`, `limit=None` for `limit: int = None`. A path counts as a single name.
 */
export function holdsParts(text: string, name: string): boolean {
  const words = name.match(WORDS) ?? [];
  const last = words.at(-1);
  if (last === undefined || last === name || /[\s/\\]/.test(name)) return false;
  const isMember = MEMBER.test(name);
  if (isMember && !new RegExp(`(?<![\\p{L}\\p{N}_])${last}\\s*[(:=]`, 'u').test(text)) return false;
  const held = new Set(text.match(WORDS));
  return words.every((word) => held.has(word));
}

const WORDS = /[\p{L}\p{N}_]+/gu;
const MEMBER = /^[\p{L}\p{N}_]+(?:(?:\.|::|#)[\p{L}\p{N}_]+)+$/u;
