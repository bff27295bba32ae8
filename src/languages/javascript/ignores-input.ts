/** Pure: whether a function uses none of its arguments. */
import { partnersOf, type SourceToken, tokensOf } from './scan.ts';
import { typedBodies } from './typed-bodies.ts';

/** With these words a function can reach its input without naming it. */
const REACHES = new Set(['arguments', 'eval', 'super']);

/** False unless it is certain. */
export function ignoresInput(text: string, name: string): boolean {
  const tokens = tokensOf(text);
  const partners = tokens && partnersOf(tokens);
  if (!tokens || !partners) return false;
  const valueAt = (index: number): string => tokens[index]?.value ?? '';
  // Only the last overload has a body.
  const at = tokens.findLastIndex(
    ({ kind, value }, index) =>
      kind === 'word' && value === name && /^(?:function|const)$/.test(valueAt(index - 1)),
  );
  const opens = tokens.findIndex(({ value }, index) => index > at && value === '(');
  const closes = partners.get(opens);
  const body = typedBodies({ tokens, partners }).find(({ first }) => first > at);
  if (at < 0 || closes === undefined || !body?.isBlock || body.first < closes) return false;
  const between = tokens.slice(at + 1, opens);
  // A name that is called or has its own type belongs to something else.
  const isHead = between.every(
    ({ kind, value }, index) =>
      (kind === 'word' && /^[<,]$/.test(valueAt(at + index))) ||
      /^(?:[=<>,]|async|function)$/.test(value),
  );
  if (!isHead || tokens.slice(closes, body.first).some(({ value }) => value === ';')) return false;
  const types = wordsOf(text, between);
  const given = wordsOf(text, tokens.slice(opens, closes));
  const used = wordsOf(text, tokens.slice(body.first, partners.get(body.first)));
  return ![...used].some((word) => REACHES.has(word) || (given.has(word) && !types.has(word)));
}

/** Includes words in a template, which may contain code. */
const wordsOf = (text: string, tokens: readonly SourceToken[]): ReadonlySet<string> =>
  new Set(
    tokens.flatMap(({ kind, value, start, end }) =>
      kind === 'word'
        ? [value]
        : text[start] === '`'
          ? (text.slice(start, end).match(/[\p{L}\p{N}_$]+/gu) ?? [])
          : [],
    ),
  );
