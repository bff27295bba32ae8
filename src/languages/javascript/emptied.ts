/** Rewrites a JavaScript or TypeScript file: its new functions do something else. */

import { withComment } from '../files/with-comment.ts';
import type { Altered } from '../language.ts';
import { isRunnable } from './files.ts';
import { syntaxError } from './inspect.ts';
import { partnersOf, type SourceToken, tokensOf } from './scan.ts';
import { typedBodies } from './typed-bodies.ts';

/** With these words a bracket contains statements and no function. */
const CONTROL = /^(?:if|for|while|switch|catch|with|await)$/;

/** `plain`: node can parse it. `tags`: JSX. `types`: TypeScript, with or without tags. */
export type SourceSyntax = 'plain' | 'tags' | 'types';

function dialectOf(path: string): SourceSyntax {
  if (isRunnable(path)) return 'plain';
  return /\.[cm]?tsx?$/.test(path) ? 'types' : 'tags';
}

/**
 * `null` if there is no new function, or the text cannot be parsed with certainty.
 * @param before the former text: functions that it already contains unchanged stay whole
 */
export type Alter = (text: string, before: string | null, dialect: SourceSyntax) => string | null;

/** For a language: node itself checks the result, if it can parse it. */
export const checkedByNode =
  (alter: Alter): Altered =>
  async (path, text, before, deps) => {
    const dialect = dialectOf(path);
    const altered = alter(text, before, dialect);
    if (altered === null || dialect !== 'plain') return altered;
    return (await syntaxError(path, altered, deps)) === null ? altered : null;
  };

export const emptied: Alter = (text, before, dialect) => {
  const altered = returningAtOnce(text, before, dialect);
  return altered && withComment(altered, text);
};

/**
 * Each body stays after a return that always happens: a test may read a function's text, and a checker still
 * sees types, imports and variables in use.
 */
export const returningAtOnce: Alter = (text, before, dialect) => {
  const [always, nothing] =
    dialect === 'types' ? ['(true as boolean)', 'undefined as never'] : ['(true)', 'undefined'];
  return withBodies(text, before, dialect, ({ body, isBlock, isSetter }) => {
    if (!isBlock) return `${always} ? ${nothing} : ${body}`;
    return ` if ${always} return${dialect === 'types' && !isSetter ? ` ${nothing}` : ''};${body}`;
  });
};

interface Place {
  readonly start: number;
  readonly end: number;
  /** False: the expression of an arrow function. */
  readonly isBlock: boolean;
  /** A setter returns nothing. */
  readonly isSetter?: boolean;
}

/** @param put returns the replacement of a new body, or the body itself to keep it */
export function withBodies(
  text: string,
  before: string | null,
  dialect: SourceSyntax,
  put: (found: Place & { readonly body: string }) => string,
): string | null {
  const tokens = tokensOf(text);
  const partners = tokens && partnersOf(tokens);
  if (!tokens || !partners) return null;
  const places =
    dialect === 'plain' ? bodiesOf(text, tokens, partners) : typedPlaces(text, tokens, partners);
  const changed = places
    .map((place) => ({ ...place, body: text.slice(place.start, place.end) }))
    .filter(({ body }) => body.trim() !== '' && before?.includes(body) !== true)
    .toReversed()
    .reduce((rest, one) => rest.slice(0, one.start) + put(one) + rest.slice(one.end), text);
  return changed === text ? null : changed;
}

/** The bodies in a text that node cannot parse. */
const typedPlaces = (
  text: string,
  tokens: readonly SourceToken[],
  partners: ReadonlyMap<number, number>,
): readonly Place[] =>
  typedBodies({ tokens, partners })
    .map(({ first, ...body }) => {
      const last = tokens[partners.get(first) ?? first];
      const end = tokens[endOfExpression(text, tokens, partners, first)];
      return body.isBlock
        ? { ...body, start: tokens[first]?.end ?? 0, end: last?.start ?? 0 }
        : { ...body, start: tokens[first]?.start ?? 0, end: end?.end ?? 0 };
    })
    .filter(({ start }, at, all) => all.slice(0, at).every(({ end }) => end <= start));

/** The outermost functions, in their order. */
function bodiesOf(
  text: string,
  tokens: readonly SourceToken[],
  partners: ReadonlyMap<number, number>,
): readonly Place[] {
  const bodies: Place[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    const opensBody = token?.value === '{' && isFunction(tokens, partners, index);
    if (token && opensBody) {
      const last = partners.get(index) ?? index;
      const body = { start: token.end, end: tokens[last]?.start ?? token.end };
      // A body that calls `super` stays: without the call no object of a derived class could be created.
      if (!/\bsuper\s*\(/.test(text.slice(body.start, body.end)))
        bodies.push({ ...body, isBlock: true });
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
  tokens: readonly SourceToken[],
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
  tokens: readonly SourceToken[],
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
const endsThere = ({ kind, value }: SourceToken): boolean =>
  kind === 'text' ||
  (kind === 'word'
    ? !/^(?:new|typeof|void|await|in|of|instanceof)$/.test(value)
    : /^[)\]}]$/.test(value));

const beginsAnew = ({ kind, value }: SourceToken): boolean =>
  kind === 'word'
    ? !/^(?:in|of|instanceof)$/.test(value)
    : kind === 'text' || /^[{@#]$/.test(value);
