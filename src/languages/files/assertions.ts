/** Pure: what an assertion on a line of a test may expect instead, in any language with the usual signs. */
import type { Denial } from '../language.ts';
import { languageOf } from '../languages.ts';
import {
  type Alteration,
  alterationIn,
  altered,
  EITHER,
  isComment,
  LITERAL,
  masked,
  type Place,
} from './alterations.ts';

const VALUE = LITERAL.source;
const BEHIND_SIGN = new RegExp(`(?<=(?:[=!]==?|\\b(?:is|eq|ne))\\s[[({]*)(?:${VALUE})`);
const BEFORE_SIGN = new RegExp(`(?:${VALUE})(?=\\s(?:[=!]==?|in)\\s)`);

/**
 * Other values for the value that a line surely compares: beside a comparison sign, or in the last call of a
 * chain. In a call that is a statement only figures and values in lists count, because a text may be the
 * message of a failure. A figure may be only a bound, so it gets two other values. Empty: no such value is
 * known.
 */
export function comparedIn(text: string, line: number, path: string): readonly Alteration[] {
  if (isComment(text)) return [];
  const plain = masked(text);
  if (EITHER.test(plain)) return [];
  const found = BEHIND_SIGN.exec(plain) ?? BEFORE_SIGN.exec(plain) ?? givenIn(plain);
  if (found !== null) {
    const one = altered(text, line, found);
    // Not 0 for other figures: it may count as no value.
    const figures = ['987654321', one.from === '1' ? '0' : '1'];
    return /^\d/.test(one.from) ? figures.map((to) => ({ ...one, to })) : [one];
  }
  return (languageOf(path).assertions?.unequal ?? [])
    .flatMap(([compares, to]) => {
      const sign = compares.exec(plain);
      return sign ? [{ line, at: sign.index, from: sign[0], to }] : [];
    })
    .slice(0, 1);
}

const STATEMENT = /^|=>\s*\{?\s*/g;
/** A chain of calls, with the arguments of its first and its last call. */
const CALLS = /^\s*(?:if !|await |return )*[\w$>:.!-]+\(([^()]*)\)(?:\.[\w$]+\(([^()]*)\))*/d;

/** The value that a statement passes to its call. */
function givenIn(text: string): Place | null {
  for (const { index, 0: head } of text.matchAll(STATEMENT)) {
    const start = index + head.length;
    const plain = withoutInnerCalls(text.slice(start));
    const [, first, last] = CALLS.exec(plain)?.indices ?? [];
    const place = last ?? first;
    if (place === undefined) continue;
    const given = withoutInnerCalls(`(${plain.slice(...place)}`).slice(1);
    const hasOther = /\w/.test(given.replace(LITERAL, ''));
    const isCompared = ({ index: at, 0: value }: RegExpExecArray): boolean =>
      isWhole(given.slice(0, at), given.slice(at + value.length)) &&
      (last !== undefined || (hasOther && (/^\d/.test(value) || /[[{]/.test(given.slice(0, at)))));
    const value = [...given.matchAll(LITERAL)].filter(isCompared).at(-1);
    if (value) return { index: start + place[0] + value.index, 0: value[0] };
  }
  return null;
}

/** True if the value stands by itself, in a list, or in an object with keys. */
const isWhole = (before: string, after: string): boolean =>
  /^(?:[\s[{]|["\w$]+\s*:)*-?$/.test(before.slice(before.lastIndexOf(',') + 1)) &&
  /^[\s\]}]*(?:,|$)/.test(after) &&
  !/[\]}]\s*[.[]/.test(after);

/** Masks the arguments of inner calls; the length stays. */
function withoutInnerCalls(text: string): string {
  const less = text.replace(/(?<=\([^()]*)\([^()]*\)/g, (inner) => '_'.repeat(inner.length));
  return less === text ? text : withoutInnerCalls(less);
}

/** In these files `>` and `<` redirect to files. */
const SHELL = /\.(?:sh|bash|bats)$/;
/** For languages without a folder here, by the endings of their files. */
const OTHERS: readonly (Denial & { readonly files: RegExp })[] = [
  { files: SHELL, before: /^\s*(?:if|while|until) (?=\S)/, not: '! ' },
  { files: /\.lua$/, before: /\(/, not: 'not ' },
];
const USUAL: Denial = { before: /\(/, not: '!' };

/** An index tells what is looked at, and nothing of what is expected there. */
const INDEX = /[\w)\]]\[$/;

const ARROW = /[=-]>\s*(?=\S)/g;
export const DOES_NOTHING = '{}';

/**
 * A function that the line passes to a call does nothing instead: one that must throw, then does not. `null`:
 * there is none that ends on the line.
 */
function idleIn(text: string, line: number): Alteration | null {
  const plain = masked(text);
  for (const { index, 0: arrow } of plain.matchAll(ARROW)) {
    const end = endOfArgument(plain, index + arrow.length);
    if (end === null || depthIn(plain.slice(0, index)) < 1) continue;
    const from = text.slice(index, end);
    return { line, at: index, from, to: `${arrow}${DOES_NOTHING}` };
  }
  return null;
}

const STEPS: { readonly [sign: string]: number } = {
  ...{ '(': 1, '[': 1, '{': 1 },
  ...{ ')': -1, ']': -1, '}': -1 },
};

const depthIn = (text: string): number =>
  [...text].reduce((depth, sign) => depth + (STEPS[sign] ?? 0), 0);

/** Where the argument that begins at `start` ends; `null`: not on this line. */
function endOfArgument(text: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    depth += STEPS[sign] ?? 0;
    if (depth < 0 || (depth === 0 && sign === ',')) return at;
  }
  return null;
}

/** Other things that a line may assert, one alteration each, where it is unknown what the line compares. */
export function assertionsIn(text: string, line: number, path: string): readonly Alteration[] {
  if (isComment(text)) return [];
  const plain = masked(text);
  const isIndex = (at: number): boolean => INDEX.test(plain.slice(0, at));
  const last = [...plain.matchAll(LITERAL)].filter(({ index }) => !isIndex(index)).at(-1);
  const { before, not } =
    languageOf(path).assertions?.denial ?? OTHERS.find(({ files }) => files.test(path)) ?? USUAL;
  const opening = before.exec(text);
  const all = [
    last && altered(text, line, last),
    SHELL.test(path) ? null : alterationIn(text, line),
    opening && { line, at: opening.index, from: opening[0], to: `${opening[0]}${not}` },
    idleIn(text, line),
  ].flatMap((one) => one ?? []);
  return all.filter(
    ({ at, to }, index) =>
      !isIndex(at) && all.findIndex((one) => one.at === at && one.to === to) === index,
  );
}
