/**
 * Pure: where functions of a TypeScript or JSX file begin. It finds three kinds only: a `function`, a method
 * of a class, and an arrow function assigned to a variable.
 */
import type { Token } from './scan.ts';

export interface TypedBody {
  /** Its first token: the opening bracket, or the beginning of an arrow's expression. */
  readonly first: number;
  readonly isBlock: boolean;
  /** It returns nothing. */
  readonly isSetter: boolean;
}

interface Scan {
  readonly tokens: readonly Token[];
  readonly partners: ReadonlyMap<number, number>;
}

/** The outermost ones, in their order. */
export function typedBodies(scan: Scan): readonly TypedBody[] {
  const { tokens, partners } = scan;
  const classes = new Set<number>();
  const bodies: TypedBody[] = [];
  const open: number[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const value = tokens[index]?.value;
    if (value === '{') open.push(index);
    if (value === '}') open.pop();
    const opened = classAt(scan, index);
    if (opened !== null) classes.add(opened);
    const body = bodyAt(scan, index, classes.has(open.at(-1) ?? -1));
    if (body === null) continue;
    bodies.push(body);
    const last = body.isBlock ? partners.get(body.first) : undefined;
    index = last ?? body.first - 1;
  }
  return bodies;
}

const isWord = (token: Token | undefined): boolean => token?.kind === 'word';
const isKey = ({ tokens }: Scan, index: number): boolean =>
  tokens[index - 1]?.value === '.' || /^[:?=,)]$/.test(tokens[index + 1]?.value ?? '');

/** The bracket that opens a class. */
function classAt(scan: Scan, index: number): number | null {
  const { tokens, partners } = scan;
  if (tokens[index]?.value !== 'class' || isKey(scan, index)) return null;
  let at = index + 1;
  for (;;) {
    const token = tokens[at];
    if (token === undefined || token.value === ';') return null;
    if (token.value === '{') return at;
    const next = token.value === '<' ? pastAngles(scan, at) : (partners.get(at) ?? at) + 1;
    if (next === null || next <= at) return null;
    at = next;
  }
}

function bodyAt(scan: Scan, index: number, isInClass: boolean): TypedBody | null {
  const { tokens } = scan;
  const word = tokens[index];
  if (word?.kind === 'word' && /^(?:const|let|var)$/.test(word.value)) return arrowOf(scan, index);
  if (word?.value === 'function' && !isKey(scan, index)) {
    const star = tokens[index + 1]?.value === '*' ? index + 2 : index + 1;
    const name = isWord(tokens[star]) ? star + 1 : star;
    return blockAfter(scan, name, false);
  }
  const mayName = isInClass && (isWord(word) || word?.kind === 'text' || word?.value === ']');
  if (!mayName || word?.value === 'constructor' || word?.value === 'function') return null;
  const after = tokens[index + 1]?.value === '?' ? index + 2 : index + 1;
  return blockAfter(scan, after, tokens[index - 1]?.value === 'set');
}

/** After a name: parameters, return type, body; an overload has no body. */
function blockAfter(scan: Scan, index: number, isSetter: boolean): TypedBody | null {
  const { tokens } = scan;
  const first = pastSignature(scan, index);
  if (first === null || tokens[first]?.value !== '{') return null;
  return { first, isBlock: true, isSetter };
}

/** `const add = async <T>(a: T): T => …` */
function arrowOf(scan: Scan, index: number): TypedBody | null {
  const { tokens } = scan;
  if (!isWord(tokens[index + 1])) return null;
  const named = tokens[index + 2]?.value === ':' ? pastType(scan, index + 3, true) : index + 2;
  if (named === null || tokens[named]?.value !== '=') return null;
  const start = tokens[named + 1]?.value === 'async' ? named + 2 : named + 1;
  const isBare = isWord(tokens[start]) && tokens[start + 1]?.value === '=>';
  const arrow = isBare ? start + 1 : pastSignature(scan, start);
  if (arrow === null || tokens[arrow]?.value !== '=>' || !tokens[arrow + 1]) return null;
  const first = arrow + 1;
  return { first, isBlock: tokens[first]?.value === '{', isSetter: false };
}

function pastSignature(scan: Scan, index: number): number | null {
  const { tokens, partners } = scan;
  const open = tokens[index]?.value === '<' ? pastAngles(scan, index) : index;
  if (open === null || tokens[open]?.value !== '(') return null;
  const next = (partners.get(open) ?? open) + 1;
  return tokens[next]?.value === ':' ? pastType(scan, next + 1) : next;
}

function pastAngles({ tokens, partners }: Scan, index: number): number | null {
  let depth = 0;
  for (let at = index; at < tokens.length; at = Math.max(at, partners.get(at) ?? at) + 1) {
    const { value } = tokens[at] ?? {};
    if (value === '<') depth += 1;
    if (value === '>') depth -= 1;
    if (depth === 0) return at + 1;
    if (value === ';' || value === ')' || value === '}') return null;
  }
  return null;
}

const BEFORE_A_TYPE = /^(?:keyof|typeof|unique|readonly|infer|asserts|abstract|new)$/;

/**
 * The index after a type; `null` if the type is not understood.
 * @param isDeclared whether it is the type of a variable: a return type may end at the arrow
 */
function pastType(scan: Scan, index: number, isDeclared = false): number | null {
  const { tokens, partners } = scan;
  let at = index;
  for (;;) {
    while (/^[|&-]$/.test(tokens[at]?.value ?? '') || isPrefix(scan, at)) at += 1;
    const token = tokens[at];
    if (token === undefined) return null;
    if (token.value === '<') {
      const inner = pastAngles(scan, at);
      if (inner === null) return null;
      at = inner;
      continue;
    }
    const past = pastOperand(scan, at);
    if (past === null) return null;
    at = past;
    while (tokens[at]?.value === '[') at = (partners.get(at) ?? at) + 1;
    const { value } = tokens[at] ?? {};
    if (value === 'extends') return pastConditional(scan, at + 1);
    const isFunction = value === '=>' && token.value === '(';
    if (isFunction && !isDeclared) return null;
    if (!isFunction && value !== '|' && value !== '&' && value !== 'is') return at;
    at += 1;
  }
}

const isPrefix = ({ tokens }: Scan, at: number): boolean =>
  BEFORE_A_TYPE.test(tokens[at]?.value ?? '') &&
  (isWord(tokens[at + 1]) || /^[({[]$/.test(tokens[at + 1]?.value ?? '')) &&
  tokens[at + 1]?.value !== 'is';

function pastOperand(scan: Scan, index: number): number | null {
  const { tokens, partners } = scan;
  const token = tokens[index];
  if (token && /^[({[]$/.test(token.value)) return (partners.get(index) ?? index) + 1;
  if (token?.kind !== 'word' && token?.kind !== 'text') return null;
  let at = index + 1;
  while (tokens[at]?.value === '.' && isWord(tokens[at + 1])) at += 2;
  if (token.value === 'import' && tokens[at]?.value === '(') return null;
  return tokens[at]?.value === '<' ? pastAngles(scan, at) : at;
}

function pastConditional(scan: Scan, index: number): number | null {
  const { tokens } = scan;
  const question = pastType(scan, index);
  if (question === null || tokens[question]?.value !== '?') return null;
  const colon = pastType(scan, question + 1);
  if (colon === null || tokens[colon]?.value !== ':') return null;
  return pastType(scan, colon + 1);
}
