/** A JavaScript or TypeScript file whose new functions do what they do, and give back something else than they would. */
import type { Altered } from '../language.ts';
import { withBodies, withTypedBodies } from './emptied.ts';
import { isRunnable } from './files.ts';
import { syntaxError } from './inspect.ts';

/** Declared last: a declaration of a function counts from the start of its file. */
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

/** `plain`: node reads it as it is. `tags`: JSX. `types`: TypeScript, tags or not. */
export type Dialect = 'plain' | 'tags' | 'types';

function dialectOf(path: string): Dialect {
  if (isRunnable(path)) return 'plain';
  return /\.[cm]?tsx?$/.test(path) ? 'types' : 'tags';
}

/** `null` where nothing new gives anything back, or the text cannot be read with certainty. */
export const givingConstants = (
  text: string,
  before: string | null,
  dialect: Dialect = 'plain',
): string | null => giving(CONSTANT, text, before, dialect);

export const endingAtValues: typeof givingConstants = (text, before, dialect = 'plain') =>
  giving(END, text, before, dialect);

/** As a language offers it: node itself checks what comes out, where it can read it. */
export const checked =
  (alter: typeof givingConstants): Altered =>
  async (path, text, before, deps) => {
    const dialect = dialectOf(path);
    const altered = alter(text, before, dialect);
    if (altered === null || dialect !== 'plain') return altered;
    return (await syntaxError(path, altered, deps)) === null ? altered : null;
  };

/** @param before the text that was there: functions that stand in it as they are stay whole */
function giving(
  constantOf: string,
  text: string,
  before: string | null,
  dialect: Dialect,
): string | null {
  const changed =
    dialect === 'plain'
      ? withBodies(text, before, ({ start, end, empty }) => {
          const body = text.slice(start, end);
          return empty === '' ? givingBlock(body) : `__constantOf(${body})`;
        })
      : withTypedBodies(text, before, ({ body, isBlock }) =>
          isBlock ? givingBlock(body) : `__constantOf(${body})`,
        );
  if (changed === null) return null;
  const signature = dialect === 'types' ? '(value: any): any {' : '(value) {';
  return `${changed}${constantOf.replace('(value) {', signature)}`;
}

/** What is given back bit by bit is no value of a kind. */
function givingBlock(body: string): string {
  if (!/\breturn\b/.test(body) || /\byield\b/.test(body)) return body;
  return /\bawait\b/.test(body)
    ? ` return (async () => {${body}\n})().then(__constantOf); `
    : ` return __constantOf((() => {${body}\n})()); `;
}
