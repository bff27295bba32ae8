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
  ...{ '==': '!=', '!=': '==', '===': '!==', '!==': '===', '&&': '||', '||': '&&' },
  ...{ '<': '>=', '>=': '<', '>': '<=', '<=': '>', eq: 'ne', ne: 'eq' },
  ...{ '+': '-', '-': '+', '*': '+', '/': '*' },
  ...{ true: 'false', false: 'true', True: 'False', False: 'True' },
};

/** Between spaces a sign compares: elsewhere `<` may open a list of types, and `&&` name one. */
const SIGN = /(?<= )(?:[=!]==?|[<>]=?|&&|\|\||eq|ne)(?= )|\b(?:true|false|True|False)\b/;
const NUMBER = /(?<![\w.])\d{1,9}(?![\w.])/;
/** One character in single quotes is no text in many languages. */
const TEXT = /"(?:[^"\\]|\\.)+"|'(?:[^'\\]|\\.){2,}'/;
const LITERAL = new RegExp(`${TEXT.source}|${NUMBER.source}`, 'g');
/** What a function of one line may have alone. It may not build for texts, which the tests that were there tell. */
const ARITHMETIC = /(?<= )[-+*/](?= )/;
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!\[)|--|;|%|"""|''')/;

/** How a line of code decides something else, or gives something else; `null`: nobody can tell. */
export function alterationIn(text: string, line: number): Alteration | null {
  if (COMMENT.test(text)) return null;
  const found = SIGN.exec(text) ?? NUMBER.exec(text) ?? TEXT.exec(text) ?? ARITHMETIC.exec(text);
  return found && { line, at: found.index, from: found[0], to: otherThan(found[0]) };
}

/** A statement that ends on its line. One that declares what is used further on does not build without it. */
const STATEMENT_LINE = /^(\s*)([^\s{}()#].*;)\s*$/;

/** A line of code without its statement; `null`: it is none. */
export function omissionIn(text: string, line: number): Alteration | null {
  const [, indent = '', from] = COMMENT.test(text) ? [] : (STATEMENT_LINE.exec(text) ?? []);
  return from === undefined ? null : { line, at: indent.length, from, to: '' };
}

/** What a line of a test may expect: its last figure or text, then its first, which may be what it gives. */
export function expectationsIn(text: string, line: number): readonly Alteration[] {
  if (COMMENT.test(text)) return [];
  const all = [...text.matchAll(LITERAL)].map(({ 0: from, index }) => ({
    ...{ line, at: index, from, to: otherThan(from) },
  }));
  return [...new Set([...all.slice(-1), ...all.slice(0, 1)])];
}

/** Here `>` and `<` name files. */
const SHELL = /\.(?:sh|bash|bats)$/;

/** What stands before a condition, by the ends of files: Go has no assertions, and its `!` only says so of a condition. */
const NOT: readonly { readonly files: RegExp; readonly before: RegExp; readonly not: string }[] = [
  { files: /\.(?:py|lua)$/, before: /^\s*assert\s+(?=\S)|\(/, not: 'not ' },
  { files: /\.go$/, before: /^\s*if (?=!)/, not: '!' },
  { files: SHELL, before: /^\s*(?:if|while|until) (?=\S)/, not: '! ' },
  { files: /./, before: /\(/, not: '!' },
];

/** What a line of a test that was red may assert instead, each by itself. @param path of its file */
export function assertionsIn(text: string, line: number, path: string): readonly Alteration[] {
  const [expected] = expectationsIn(text, line);
  const form = NOT.find(({ files }) => files.test(path));
  const opening = form?.before.exec(text);
  const negated = opening && {
    ...{ line, at: opening.index, from: opening[0], to: `${opening[0]}${form?.not}` },
  };
  const decides = SHELL.test(path) ? null : alterationIn(text, line);
  const all = [expected, decides, negated].flatMap((one) => one ?? []);
  return all.filter(
    ({ at, to }, index) => all.findIndex((one) => one.at === at && one.to === to) === index,
  );
}

/** What stands beside a sign that compares. */
const VALUE = LITERAL.source;
const BEHIND_SIGN = new RegExp(`(?:[=!]==?|\\b(?:is|eq|ne))\\s[[({]*(${VALUE})`);
const BEFORE_SIGN = new RegExp(`(${VALUE})\\s(?:[=!]==?|in)\\s`);
/** In Python an object says itself what it equals, so it is asked of a list, too. */
const EQUALS = /(?<=^\s*assert\b.* )==(?= )/;
const OR_LIST = '== [0] and None is not';

/**
 * The value that a line surely compares something with: beside a sign, in the last call of a chain, or as a figure or a
 * list in a call that is a statement. A text may be what is said if it fails. `null`: nobody can tell.
 */
export function comparedIn(text: string, line: number, path: string): Alteration | null {
  if (COMMENT.test(text)) return null;
  const plain = masked(text);
  const of = (at: number, length: number): Alteration => {
    const from = text.slice(at, at + length);
    return { line, at, from, to: otherThan(from) };
  };
  const before = BEFORE_SIGN.exec(plain);
  const behind = BEHIND_SIGN.exec(plain);
  if (behind?.[1] !== undefined)
    return of(behind.index + behind[0].length - behind[1].length, behind[1].length);
  if (before?.[1] !== undefined) return of(before.index, before[1].length);
  for (const { index, 0: head } of plain.matchAll(STATEMENT)) {
    const given = givenTo(plain, index + head.length);
    if (given !== null) return of(given.at, given.length);
  }
  const equals = path.endsWith('.py') ? EQUALS.exec(plain) : null;
  return equals && { line, at: equals.index, from: equals[0], to: OR_LIST };
}

/**
 * In Python an assertion that is a call is given a list first, so that what it compares is another thing; what takes no more
 * than it has fails. `null`: it has no two things to compare.
 */
export function shiftedIn(text: string, line: number, path: string): Alteration | null {
  const head = path.endsWith('.py') && !COMMENT.test(text) ? /^\s*[\w.]+\(/.exec(text)?.[0] : null;
  const given = head ? argumentsAt(masked(text), head.length) : null;
  return head && given && given.all.length > 1
    ? { line, at: head.length - 1, from: '(', to: '([0], ' }
    : null;
}

/** Texts without what stands in them. */
const masked = (text: string): string =>
  text.replace(new RegExp(TEXT, 'g'), (one) => one.replace(/(?!^)[^'"](?=.)/g, '_'));

const STATEMENT = /(?:^\s*|=>\s*\{?\s*)(?:if !|await |return )*/g;
const CALL = /[\w$>:.!-]+\(/y;
const isWhole = (pattern: RegExp, text: string): boolean =>
  new RegExp(`^-?(?:${pattern.source})$`).test(text);

/** Where the value stands that the call at this place, or the last one behind it, is given. */
function givenTo(
  text: string,
  from: number,
): { readonly at: number; readonly length: number } | null {
  let at = from;
  let last: readonly Argument[] = [];
  let count = 0;
  for (;;) {
    CALL.lastIndex = at;
    const head = (count === 0 || text[at] === '.' ? CALL.exec(text) : null)?.[0];
    if (head === undefined) break;
    const call = argumentsAt(text, at + head.length);
    if (call === null) return null;
    last = call.all;
    at = call.end;
    count += 1;
  }
  const isOther = ({ text: one }: Argument): boolean => !isWhole(LITERAL, one);
  const able = last.filter(
    (one) =>
      (count > 1 || last.some((other) => other !== one && isOther(other))) &&
      (/^[[{][^()]*$/.test(one.text) || isWhole(count > 1 ? LITERAL : NUMBER, one.text)),
  );
  const found = able.at(-1);
  const value = found && [...found.text.matchAll(LITERAL)].at(-1);
  return found && value ? { at: found.at + value.index, length: value[0].length } : null;
}

interface Argument {
  readonly at: number;
  readonly text: string;
}

/** `null`: the call does not end on the line. */
function argumentsAt(
  text: string,
  from: number,
): { readonly all: readonly Argument[]; readonly end: number } | null {
  const all: Argument[] = [];
  let depth = 0;
  let start = from;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    const isEnd = depth === 0 && /[)\]}]/.test(sign);
    if (isEnd || (depth === 0 && sign === ',')) {
      const found = text.slice(start, at);
      all.push({ at: start + found.length - found.trimStart().length, text: found.trim() });
      start = at + 1;
    }
    if (isEnd) return { all, end: at + 1 };
    if (/[([{]/.test(sign)) depth += 1;
    if (/[)\]}]/.test(sign)) depth -= 1;
  }
  return null;
}

/** A large and a small one for a figure, which may only be a bound; not 0, which may be no value at all. */
export const farFrom = (one: Alteration): readonly Alteration[] =>
  /^\d/.test(one.from)
    ? ['987654321', one.from === '1' ? '0' : '1'].map((to) => ({ ...one, to }))
    : [];

function otherThan(from: string): string {
  const opposite = OPPOSITES[from];
  if (opposite !== undefined) return opposite;
  return /^\d/.test(from) ? String(Number(from) + 1) : `${from.slice(0, 1)}x${from.slice(1)}`;
}

/** The text with some of its places changed, at most one a line. */
export function alteredText(text: string, alterations: readonly Alteration[]): string {
  const lines = text.split('\n');
  for (const { line, at, from, to } of alterations) {
    const is = lines[line - 1] ?? '';
    lines[line - 1] = `${is.slice(0, at)}${to}${is.slice(at + from.length)}`;
  }
  return lines.join('\n');
}
