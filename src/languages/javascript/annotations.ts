/**
 * Pure: the types inside TypeScript's code that surely are none of its values: of parameters, of variables with
 * a value, and of what a function gives. Other types count as code.
 */
import type { SourceToken } from './scan.ts';

interface Scan {
  readonly tokens: readonly SourceToken[];
  /** For each bracket the index of its partner. */
  readonly partners: ReadonlyMap<number, number>;
}

/** For each colon of an annotation (or the `?` before it) the last token of its type. */
export function annotationsIn(scan: Scan): ReadonlyMap<number, number> {
  const { tokens } = scan;
  const found = new Map<number, number>();
  // Text between tags may look like an annotation, and a decorator may read types.
  if (tokens.some((_token, at) => isTag(scan, at) || tokens[at]?.value === '@')) return found;
  const around: number[] = [];
  for (const [at, { value }] of tokens.entries()) {
    const partner = scan.partners.get(at);
    if (partner !== undefined && partner > at) around.push(at);
    if (partner !== undefined && partner < at) around.pop();
    const colon = value === '?' && tokens[at + 1]?.value === ':' ? at + 1 : at;
    if (tokens[colon]?.value !== ':' || found.has(at - 1)) continue;
    const end = endOfAnnotation(scan, at, { colon, around: around.at(-1) });
    if (end !== null && end > colon) found.set(at, end);
  }
  return found;
}

const isTag = ({ tokens }: Scan, at: number): boolean =>
  ['</', '/>'].includes(`${tokens[at]?.value}${tokens[at + 1]?.value}`);

interface Colon {
  readonly colon: number;
  /** The bracket that is open around it. */
  readonly around: number | undefined;
}

/** @param at the first token behind the name */
function endOfAnnotation(scan: Scan, at: number, { colon, around }: Colon): number | null {
  const { tokens, partners } = scan;
  const before = tokens[at - 1];
  const begin = partners.get(at - 1) ?? at - 1;
  if (before?.value === ')')
    return isFunction(scan, begin) ? endOfType(scan, colon, ['{', '=>']) : null;
  if (before?.kind !== 'word' && before?.value !== '}' && before?.value !== ']') return null;
  const isParameter =
    around !== undefined &&
    tokens[around]?.value === '(' &&
    /^[(,]$/.test(tokens[begin - 1]?.value ?? '');
  if (isParameter) return endOfType(scan, colon, [',', '=', ')']);
  return isDeclared(tokens[begin - 1]) && colon === at ? endOfType(scan, colon, ['=']) : null;
}

const isDeclared = (token: SourceToken | undefined): boolean =>
  /^(?:const|let|var)$/.test(token?.value ?? '');

/** True if the parentheses surely hold parameters; else a conditional expression may have its colon here. */
function isFunction({ tokens }: Scan, open: number): boolean {
  const [first, second, third] = [1, 2, 3].map((back) => tokens[open - back]);
  if (first?.value === 'function' || (first?.kind === 'word' && second?.value === 'function'))
    return true;
  return first?.value === '=' && second?.kind === 'word' && isDeclared(third);
}

/** After these a brace begins a type. */
const OPERATOR = /^(?:[:|&]|=>)$/;

/** The last token before one that ends the type; `null`: none surely does. */
function endOfType(
  { tokens, partners }: Scan,
  colon: number,
  ends: readonly string[],
): number | null {
  let depth = 0;
  for (let at = colon + 1; at < tokens.length; at += 1) {
    const value = tokens[at]?.value ?? '';
    const isType = value === '{' && OPERATOR.test(tokens[at - 1]?.value ?? '');
    if (depth === 0 && ends.includes(value) && !isType) return at - 1;
    if (value === '<') depth += 1;
    if (value === '>') depth -= 1;
    const partner = partners.get(at);
    // A declaration without a value may end at the end of its line.
    if (value === ';' || (partner !== undefined && partner < at)) return null;
    at = partner ?? at;
  }
  return null;
}
