/** Pure: small changes after which a line of code means something else, in any language with the usual signs. */

export interface Alteration {
  /** From 1. */
  readonly line: number;
  /** Characters before it in the line. */
  readonly at: number;
  readonly from: string;
  readonly to: string;
}

const OPPOSITES: { readonly [sign: string]: string } = {
  '==': '!=',
  '!=': '==',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  or: 'and',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
  eq: 'ne',
  ne: 'eq',
  '+': '-',
  '-': '+',
  '*': '+',
  '/': '*',
  true: 'false',
  false: 'true',
  True: 'False',
  False: 'True',
};

/** Between spaces a sign compares: elsewhere `<` may open a list of types, and `&&` name one. */
const SIGN = /(?<= )(?:[=!]==?|[<>]=?|&&|\|\||eq|ne)(?= )|\b(?:true|false|True|False)\b/;
/** One of two is enough: whatever becomes of one of them may change nothing. */
export const EITHER = /(?<= )(?:\|\||or)(?= )/;
const NUMBER = /(?<![\w.])\d{1,9}(?![\w.])/;
const TEXT = /"_+"/;
/** A figure, or a masked text. */
export const LITERAL = new RegExp(`${TEXT.source}|${NUMBER.source}`, 'g');
/** What a function of one line may have alone. It may not build for texts, which the tests that were there tell. */
const ARITHMETIC = /(?<= )[-+*/](?= )/;
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!\[)|--|;|%|"""|''')/;
/** A statement that ends on its line. One that declares what is used further on does not build without it. */
const STATEMENT = /(?<=^\s*)[^\s{}()#].*;(?=\s*$)/;

export const isComment = (text: string): boolean => COMMENT.test(text);

/** A line that decides something else, or gives something else; `null`: nobody can tell. */
export function alterationIn(text: string, line: number): Alteration | null {
  const plain = isComment(text) ? '' : masked(text);
  const found =
    EITHER.exec(plain) ??
    SIGN.exec(plain) ??
    NUMBER.exec(plain) ??
    TEXT.exec(plain) ??
    ARITHMETIC.exec(plain);
  return found && altered(text, line, found);
}

/** A line without its statement; `null`: it is none. */
export function omissionIn(text: string, line: number): Alteration | null {
  const found = isComment(text) ? null : STATEMENT.exec(text);
  return found && { line, at: found.index, from: found[0], to: '' };
}

/** @param found a place in the masked line */
export function altered(text: string, line: number, found: Place): Alteration {
  const from = text.slice(found.index, found.index + found[0].length);
  const other = /^\d/.test(from)
    ? String(Number(from) + 1)
    : `${from.slice(0, 1)}x${from.slice(1)}`;
  return { line, at: found.index, from, to: OPPOSITES[from] ?? other };
}

export type Place = Pick<RegExpExecArray, 'index' | 0>;

/** One character in single quotes is no text in many languages. */
const QUOTED = /"(?:[^"\\]|\\.)+"|'(?:[^'\\]|\\.)+'/g;

/** Texts without what stands in them, of the same length. */
export const masked = (text: string): string =>
  text.replace(QUOTED, (one) =>
    /^'\\?.'$/.test(one) ? '_'.repeat(one.length) : `"${'_'.repeat(one.length - 2)}"`,
  );

/** The text with some of its places changed, at most one a line. */
export function alteredText(text: string, alterations: readonly Alteration[]): string {
  const lines = text.split('\n');
  for (const { line, at, from, to } of alterations) {
    const is = lines[line - 1] ?? '';
    lines[line - 1] = `${is.slice(0, at)}${to}${is.slice(at + from.length)}`;
  }
  return lines.join('\n');
}
