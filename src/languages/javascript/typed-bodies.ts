/**
 * Pure: where functions of a TypeScript or JSX file begin. It finds three kinds only: a `function`, a method
 * of a class, and an arrow function assigned to a variable.
 */
import type { SourceToken } from './scan.ts';

export interface TypedBody {
  /** The first token of the body: the opening bracket, or the beginning of an arrow's expression. */
  readonly first: number;
  readonly isBlock: boolean;
  /** The function returns nothing. */
  readonly isSetter: boolean;
}

interface Scan {
  readonly tokens: readonly SourceToken[];
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

const isWord = (token: SourceToken | undefined): boolean => token?.kind === 'word';
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

const BEFORE_A_TYPE = /^(?:[|&-]|keyof|typeof|unique|readonly|infer|asserts|abstract|new)$/;

/**
 * The index after a type; `null` if the type is not understood.
 * @param isDeclared whether it is the type of a variable: a return type may end at the arrow
 */
function pastType(scan: Scan, index: number, isDeclared = false): number | null {
  const { tokens, partners } = scan;
  let isComplete = false;
  let conditions = 0;
  for (let at = index; ; ) {
    const token = tokens[at];
    const value = token?.value ?? '';
    if (value === '<') {
      const past = pastAngles(scan, at);
      if (past === null) return null;
      at = past;
    } else if (/^[({[]$/.test(value) && (!isComplete || value === '[')) {
      at = (partners.get(at) ?? at) + 1;
      isComplete = true;
    } else if (isComplete) {
      const isFunction = value === '=>' && tokens[at - 1]?.value === ')';
      if (isFunction && !isDeclared) return null;
      if (value === '?') conditions += 1;
      if (value === ':') conditions -= 1;
      const goesOn = /^(?:[|&.?]|is|extends)$/.test(value) || (value === ':' && conditions >= 0);
      if (!isFunction && !goesOn) return at;
      at += 1;
      isComplete = false;
    } else {
      const isPrefix =
        BEFORE_A_TYPE.test(value) && /^[\w({[<"'`|&-]/.test(tokens[at + 1]?.value ?? '');
      isComplete = !isPrefix;
      if (isComplete && token?.kind !== 'word' && token?.kind !== 'text') return null;
      at += 1;
    }
  }
}
