/** Rewrites a JavaScript or TypeScript file so that its new functions do their work, but return other values. */
import type { Altered } from '../language.ts';
import { withBodies, withTypedBodies } from './emptied.ts';
import { isRunnable } from './files.ts';
import { syntaxError } from './inspect.ts';

/** Declared last: a function declaration is hoisted to the start of its file. */
const CONSTANT = `
function __constantOf(value) {
  if (typeof value?.then === 'function') return value.then(__constantOf);
  if (typeof value === 'number') return 0;
  if (typeof value === 'bigint') return 0n;
  if (typeof value === 'string') return '';
  if (typeof value === 'boolean') return true;
  if (typeof value === 'function') return () => undefined;
  if (value === undefined) return undefined;
  return Array.isArray(value) ? [] : null;
}
`;

/** An exit cannot be caught, as an error can. */
const END = `
function __constantOf(value) {
  if (typeof value?.then === 'function') return value.then(__constantOf);
  if (value !== undefined) process.exit(97);
}
`;

/** `plain`: node can parse it. `tags`: JSX. `types`: TypeScript, with or without tags. */
export type Dialect = 'plain' | 'tags' | 'types';

function dialectOf(path: string): Dialect {
  if (isRunnable(path)) return 'plain';
  return /\.[cm]?tsx?$/.test(path) ? 'types' : 'tags';
}

/** `null` if no new function returns anything, or the text cannot be parsed with certainty. */
export const givingConstants = (
  text: string,
  before: string | null,
  dialect: Dialect = 'plain',
): string | null => giving(CONSTANT, text, before, dialect);

export const endingAtValues: typeof givingConstants = (text, before, dialect = 'plain') =>
  giving(END, text, before, dialect);

/** For a language: node itself checks the result, if it can parse it. */
export const checked =
  (alter: typeof givingConstants): Altered =>
  async (path, text, before, deps) => {
    const dialect = dialectOf(path);
    const altered = alter(text, before, dialect);
    if (altered === null || dialect !== 'plain') return altered;
    return (await syntaxError(path, altered, deps)) === null ? altered : null;
  };

/** @param before the former text: functions that it already contains unchanged stay whole */
function giving(
  constantOf: string,
  text: string,
  before: string | null,
  dialect: Dialect,
): string | null {
  const changed =
    dialect === 'plain'
      ? withBodies(text, before, ({ start, end, isBlock }) => {
          const body = text.slice(start, end);
          return isBlock ? givingBlock(body) : `__constantOf(${body})`;
        })
      : withTypedBodies(text, before, ({ body, isBlock }) =>
          isBlock ? givingBlock(body) : `__constantOf(${body})`,
        );
  if (changed === null) return null;
  const signature = dialect === 'types' ? '(value: any): any {' : '(value) {';
  return `${changed}${constantOf.replace('(value) {', signature)}`;
}

/** A generator's result is not a single value. */
function givingBlock(body: string): string {
  if (!/\breturn\b/.test(body) || /\byield\b/.test(body)) return body;
  return /\bawait\b/.test(body)
    ? ` return (async () => {${body}\n})().then(__constantOf); `
    : ` return __constantOf((() => {${body}\n})()); `;
}
