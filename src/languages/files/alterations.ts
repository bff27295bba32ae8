/** Pure: small changes after which a line of code means something else, in any language with the usual signs. */

export interface Alteration {
  /** From 1. */
  readonly line: number;
  /** The number of characters before the altered place in its line. */
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

/** A sign between spaces compares: elsewhere `<` may open a list of types, and `&&` name one. */
const SIGN = /(?<= )(?:[=!]==?|[<>]=?|&&|\|\||eq|ne)(?= )|\b(?:true|false|True|False)\b/;
/** With an "or", one side is enough, so an alteration of the other may change nothing. */
export const EITHER = /(?<= )(?:\|\||or)(?= )/;
const NUMBER = /(?<![\w.])\d{1,9}(?![\w.])/;
const TEXT = /"_+"/;
/** A figure, or a masked text. */
export const LITERAL = new RegExp(`${TEXT.source}|${NUMBER.source}`, 'g');
/**
 * A one-line function may hold nothing else to alter. The altered code may not build for texts; the existing
 * tests show that.
 */
const ARITHMETIC = /(?<= )[-+*/](?= )/;
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!\[)|--|;|%|"""|''')/;
/**
 * A statement of a block that ends on its line. Without one that declares something, the code below may not
 * build. What stands at the margin declares something for other files.
 */
const STATEMENT = /(?<=^\s+)[^\s{}()#].*;(?=\s*$)/;

export const isComment = (text: string): boolean => COMMENT.test(text);

/** Makes the line decide or give something else; `null`: no way is known. */
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

/** Makes the line give another value, but decide the same; `null`: no way is known. */
export function otherValueIn(text: string, line: number): Alteration | null {
  const plain = isComment(text) ? '' : masked(text);
  const found = NUMBER.exec(plain) ?? TEXT.exec(plain) ?? ARITHMETIC.exec(plain);
  return found && altered(text, line, found);
}

/** Leaves out the statement of a line; `null`: the line is no statement. */
export function omissionIn(text: string, line: number): Alteration | null {
  const found = isComment(text) ? null : STATEMENT.exec(text);
  return found && { line, at: found.index, from: found[0], to: '' };
}

/** Each builds where its type fits. The value that says least stands before `null`, which may crash the caller. */
const CONSTANTS = ['{}', '0', '""', 'false', 'null', 'nil', 'Default::default()'];
const RETURN = /\breturn\s+(?=[^\s;])/;
/** Of a block, the last line may give its value without a word for it. */
const EXPRESSION = /^\s*(?=[\w&*!([].*[^\s{};,]\s*$)/;

/**
 * Gives constants in place of what a line returns, one by one: no constant fits every type, so most of them do
 * not build.
 * @param isLast true for the last line of a block
 */
export function constantsIn(text: string, line: number, isLast: boolean): readonly Alteration[] {
  const { at, end } = returnedIn(text, isLast) ?? { at: 0, end: 0 };
  const from = text.slice(at, end);
  return CONSTANTS.filter((to) => from !== '' && to !== from).map((to) => ({ line, at, from, to }));
}

/** One call of a chain: what stands before its bracket. */
const LINK = /\.\w+(?:::<[^()]*>)?(?=\()/g;
const MAX_LINKS = 3;
const MAX_ARGUMENTS = 2;

/**
 * Alters a part of what a line returns, which keeps its type: a call of a chain is left out, the last ones
 * first, or an argument of a call is a constant. It may do the same as before.
 * @param isLast true for the last line of a block
 */
export function partsIn(text: string, line: number, isLast: boolean): readonly Alteration[] {
  const { at, end } = returnedIn(text, isLast) ?? { at: 0, end: 0 };
  const plain = masked(text).slice(0, end);
  const links = [...plain.matchAll(LINK)].flatMap(({ index, 0: name }) => {
    const close = endOfExpression(plain, index + name.length + 1);
    return index < at || plain[close] !== ')'
      ? []
      : [{ line, at: index, from: text.slice(index, close + 1), to: '' }];
  });
  return [
    ...links.slice(-MAX_LINKS).toReversed(),
    ...argumentsIn(plain, at).flatMap(([from, to]) =>
      constantsFor(text.slice(from, to), line, from),
    ),
  ];
}

const constantsFor = (from: string, line: number, at: number): readonly Alteration[] =>
  ['0', '""'].filter((to) => to !== from).map((to) => ({ line, at, from, to }));

/** Where the arguments of the first call begin and end, if the expression is a call that ends with the text. */
function argumentsIn(plain: string, at: number): readonly (readonly [from: number, to: number])[] {
  const [head = ''] = /^[^()]*\(/.exec(plain.slice(at)) ?? [];
  const found: (readonly [number, number])[] = [];
  for (let from = at + head.length; head !== '' && found.length < MAX_ARGUMENTS; ) {
    from += /^\s*/.exec(plain.slice(from))?.[0].length ?? 0;
    const to = endOfExpression(plain, from);
    if (to > from) found.push([from, to]);
    if (plain[to] !== ',') return plain.slice(to) === ')' ? found : [];
    from = to + 1;
  }
  return found;
}

/** Where the value stands that a line returns. */
function returnedIn(
  text: string,
  isLast: boolean,
): { readonly at: number; readonly end: number } | null {
  const plain = isComment(text) ? '' : masked(text);
  const found = RETURN.exec(plain) ?? (isLast ? EXPRESSION.exec(plain) : null);
  if (found === null) return null;
  const at = found.index + found[0].length;
  return { at, end: plain.slice(0, endOfExpression(plain, at)).trimEnd().length };
}

/** Up to a comma, a semicolon or a bracket that closes what stands around; `at`: it goes on in the next line. */
function endOfExpression(plain: string, at: number): number {
  let depth = 0;
  for (let end = at; end < plain.length; end += 1) {
    const sign = plain.charAt(end);
    if (depth === 0 && ',;)]}'.includes(sign)) return end;
    if ('([{'.includes(sign)) depth += 1;
    if (')]}'.includes(sign)) depth -= 1;
  }
  return depth === 0 ? plain.length : at;
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

/** In many languages one character in single quotes is not a string. */
const QUOTED = /"(?:[^"\\]|\\.)+"|'(?:[^'\\]|\\.)+'/g;

/** The line with the content of its strings masked; its length stays. */
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
