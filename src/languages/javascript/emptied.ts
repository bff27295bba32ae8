/** Rewrites a JavaScript file so that its new functions do nothing; node itself checks the result. */

import type { InspectionDeps } from '../files/inspection.ts';
import { withComment } from '../files/with-comment.ts';
import { isRunnable } from './files.ts';
import { syntaxError } from './inspect.ts';
import { partnersOf, type Token, tokensOf } from './scan.ts';
import { typedBodies } from './typed-bodies.ts';

/** With these words a bracket contains statements and no function. */
const CONTROL = /^(?:if|for|while|switch|catch|with|await)$/;

export interface Body {
  readonly start: number;
  readonly end: number;
  /** False: the expression of an arrow function. */
  readonly isBlock: boolean;
}

/** @param before the former text: functions that it already contains unchanged stay whole */
export async function emptiedJavaScript(
  path: string,
  text: string,
  before: string | null,
  deps: InspectionDeps,
): Promise<string | null> {
  const emptied = isRunnable(path)
    ? returningAtOnce(text, before)
    : withReturns(text, before, /\.[cm]?tsx?$/.test(path));
  if (emptied === null) return null;
  if (isRunnable(path) && (await syntaxError(path, emptied, deps)) !== null) return null;
  return withComment(emptied, text);
}

/**
 * A text that node cannot parse keeps its bodies, after a return that always happens: types, imports and
 * variables are still used, so that a checker does not object. `null` as below.
 */
export function withReturns(text: string, before: string | null, isTyped: boolean): string | null {
  const always = isTyped ? '(true as boolean)' : '(true)';
  const nothing = isTyped ? 'undefined as never' : 'undefined';
  return withTypedBodies(text, before, ({ body, isBlock, isSetter }) =>
    isBlock
      ? ` if ${always} return${isSetter ? '' : ` ${nothing}`};${body}`
      : `${always} ? ${nothing} : ${body}`,
  );
}

/** A function of a file that node cannot parse. */
export interface TypedFunction {
  readonly body: string;
  /** False: the expression of an arrow function. */
  readonly isBlock: boolean;
  readonly isSetter: boolean;
}

/** @param put returns the replacement of a new body, or the body itself to keep it */
export function withTypedBodies(
  text: string,
  before: string | null,
  put: (found: TypedFunction) => string,
): string | null {
  const tokens = tokensOf(text);
  const partners = tokens && partnersOf(tokens);
  if (!tokens || !partners) return null;
  const bodies = typedBodies({ tokens, partners }).map(({ first, isBlock, isSetter }) => {
    const [start, end] = isBlock
      ? [tokens[first]?.end ?? 0, tokens[partners.get(first) ?? first]?.start ?? 0]
      : [
          tokens[first]?.start ?? 0,
          tokens[endOfExpression(text, tokens, partners, first)]?.end ?? 0,
        ];
    return { start, end, body: text.slice(start, end), isBlock, isSetter };
  });
  const changed = bodies
    .filter(({ start }, at, all) => all.slice(0, at).every(({ end }) => end <= start))
    .filter(({ body }) => body.trim() !== '' && before?.includes(body) !== true)
    .toReversed()
    .reduce((rest, one) => rest.slice(0, one.start) + put(one) + rest.slice(one.end), text);
  return changed === text ? null : changed;
}

/**
 * A test may read the text of a function, so its body stays. `null` if nothing can be emptied, or the text cannot be
 * parsed with certainty.
 */
export const returningAtOnce = (text: string, before: string | null): string | null =>
  withBodies(text, before, ({ start, end, isBlock }) => {
    const body = text.slice(start, end);
    return isBlock ? ` if (true) return;${body}` : `(true) ? undefined : ${body}`;
  });

/** @param put returns the replacement of a body, or the body itself to keep it */
export function withBodies(
  text: string,
  before: string | null,
  put: (body: Body) => string,
): string | null {
  const tokens = tokensOf(text);
  const partners = tokens && partnersOf(tokens);
  if (!tokens || !partners) return null;
  const isNew = ({ start, end }: Body): boolean => {
    const body = text.slice(start, end);
    return body.trim() !== '' && before?.includes(body) !== true;
  };
  const bodies = bodiesOf(text, tokens, partners).filter(isNew);
  const changed = bodies
    .toReversed()
    .reduce((rest, body) => rest.slice(0, body.start) + put(body) + rest.slice(body.end), text);
  return changed === text ? null : changed;
}

/** The outermost functions, in their order. */
function bodiesOf(
  text: string,
  tokens: readonly Token[],
  partners: ReadonlyMap<number, number>,
): readonly Body[] {
  const bodies: Body[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    const opensBody = token?.value === '{' && isFunction(tokens, partners, index);
    if (token && opensBody) {
      const last = partners.get(index) ?? index;
      const body = { start: token.end, end: tokens[last]?.start ?? token.end, isBlock: true };
      // Without it no object of a derived class could be created.
      if (!/\bsuper\s*\(/.test(text.slice(body.start, body.end))) bodies.push(body);
      index = last;
    } else if (token?.value === '=>' && tokens[index + 1]?.value !== '{') {
      const last = endOfExpression(text, tokens, partners, index + 1);
      const first = tokens[index + 1];
      const final = tokens[last];
      if (!first || !final) continue;
      bodies.push({ start: first.start, end: final.end, isBlock: false });
      index = last;
    }
  }
  return bodies;
}

/** True after `=>`, or after the parameters of a function or a method. */
function isFunction(
  tokens: readonly Token[],
  partners: ReadonlyMap<number, number>,
  index: number,
): boolean {
  const before = tokens[index - 1];
  if (before?.value === '=>') return true;
  if (before?.kind !== 'sign' || before.value !== ')') return false;
  const name = tokens[(partners.get(index - 1) ?? 0) - 1];
  if (name === undefined) return false;
  if (name.kind === 'word') return !CONTROL.test(name.value);
  return name.kind === 'text' || name.value === ']' || name.value === '*';
}

/** The last token of an arrow function's expression. */
function endOfExpression(
  text: string,
  tokens: readonly Token[],
  partners: ReadonlyMap<number, number>,
  first: number,
): number {
  let index = first;
  for (;;) {
    const partner = partners.get(index);
    if (partner !== undefined && partner > index) index = partner;
    const token = tokens[index];
    const next = tokens[index + 1];
    if (!token || !next || (next.kind === 'sign' && /^[;,)\]}]$/.test(next.value))) return index;
    const isNewLine = text.slice(token.end, next.start).includes('\n');
    if (isNewLine && endsThere(token) && beginsAnew(next)) return index;
    index += 1;
  }
}

/** Whether a line break can end a statement there. */
const endsThere = ({ kind, value }: Token): boolean =>
  kind === 'text' ||
  (kind === 'word'
    ? !/^(?:new|typeof|void|await|in|of|instanceof)$/.test(value)
    : /^[)\]}]$/.test(value));

const beginsAnew = ({ kind, value }: Token): boolean =>
  kind === 'word'
    ? !/^(?:in|of|instanceof)$/.test(value)
    : kind === 'text' || /^[{@#]$/.test(value);
