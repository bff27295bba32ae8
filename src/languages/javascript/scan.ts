/**
 * Pure: JavaScript's text as a list of the tokens that matter for its brackets: strings, templates, regular expressions
 * and comments are skipped whole. Gives up if it is not sure.
 */

export interface SourceToken {
  readonly kind: 'word' | 'sign' | 'text';
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

const WORD = /[\p{L}\p{N}_$#]+/uy;
const SPACE = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const STRING = /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y;
const EXPRESSION = /\/(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;

/** After these words a slash begins a regular expression. */
const BEFORE_EXPRESSION =
  /^(?:return|typeof|case|in|of|delete|void|throw|new|do|else|await|yield)$/;

/** `null` if the text ends inside something. */
export function tokensOf(text: string): readonly SourceToken[] | null {
  const tokens: SourceToken[] = [];
  for (const token of tokensFrom(text, 0)) {
    if (token === null) return null;
    tokens.push(token);
  }
  return tokens;
}

/** Ends with `null` at a token that is not complete. */
function* tokensFrom(text: string, start: number): Generator<SourceToken | null> {
  let last: SourceToken | undefined;
  for (let at = start; at < text.length; ) {
    const space = endOf(SPACE, text, at);
    if (space !== null) {
      at = space;
      continue;
    }
    const token = tokenAt(text, at, last);
    yield token;
    if (token === null) return;
    last = token;
    at = token.end;
  }
}

function tokenAt(text: string, start: number, last: SourceToken | undefined): SourceToken | null {
  const sign = text[start] ?? '';
  const of = (kind: SourceToken['kind'], end: number | null): SourceToken | null =>
    end === null ? null : { kind, value: text.slice(start, end), start, end };
  if (sign === "'" || sign === '"') return of('text', endOf(STRING, text, start));
  if (sign === '`') return of('text', endOfTemplate(text, start));
  if (sign === '/' && mayBeginExpression(last)) return of('text', endOf(EXPRESSION, text, start));
  const word = endOf(WORD, text, start);
  if (word !== null) return of('word', word);
  return of('sign', start + (text.startsWith('=>', start) ? 2 : 1));
}

const mayBeginExpression = (last: SourceToken | undefined): boolean =>
  last === undefined ||
  (last.kind === 'word' && BEFORE_EXPRESSION.test(last.value)) ||
  // After `<`, a slash closes a tag.
  (last.kind === 'sign' && !/^[)\]}<]$/.test(last.value));

/** An embedded expression may contain templates again. */
function endOfTemplate(text: string, start: number): number | null {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '`') return at + 1;
    else if (text.startsWith('${', at)) {
      const end = endOfFilledIn(text, at + 2);
      if (end === null) return null;
      at = end;
    }
  }
  return null;
}

/** The position of the bracket that ends it. */
function endOfFilledIn(text: string, start: number): number | null {
  let depth = 0;
  for (const token of tokensFrom(text, start)) {
    if (token?.value === '{') depth += 1;
    if (token?.value === '}' && depth === 0) return token.start;
    if (token?.value === '}') depth -= 1;
  }
  return null;
}

function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found === null ? null : at + found[0].length;
}

/** For each bracket the index of its partner in the list; `null` if they do not match. */
export function partnersOf(tokens: readonly SourceToken[]): ReadonlyMap<number, number> | null {
  const CLOSED_BY: { readonly [open: string]: string } = { '(': ')', '[': ']', '{': '}' };
  const partners = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { kind, value }] of tokens.entries()) {
    if (kind !== 'sign') continue;
    if (value in CLOSED_BY) open.push(index);
    if (!/^[)\]}]$/.test(value)) continue;
    const opened = open.pop();
    if (opened === undefined || CLOSED_BY[tokens[opened]?.value ?? ''] !== value) return null;
    partners.set(opened, index);
    partners.set(index, opened);
  }
  return open.length === 0 ? partners : null;
}
