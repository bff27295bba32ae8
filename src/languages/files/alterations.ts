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
