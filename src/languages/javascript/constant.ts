/** A JavaScript file whose new functions do what they do, and give back something else than they would. */
import type { Altered } from '../language.ts';
import { withBodies } from './emptied.ts';
import { isRunnable } from './files.ts';
import { syntaxError } from './look.ts';

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

/** `null` where nothing new gives anything back, or the text cannot be read with certainty. */
export const givingConstants = (text: string, before: string | null): string | null =>
  giving(CONSTANT, text, before);

export const endingAtValues = (text: string, before: string | null): string | null =>
  giving(END, text, before);

/** As a language offers it: node itself checks what comes out. */
export const checked =
  (alter: typeof givingConstants): Altered =>
  async (path, text, before, deps) => {
    const altered = isRunnable(path) ? alter(text, before) : null;
    if (altered === null) return null;
    return (await syntaxError(path, altered, deps)) === null ? altered : null;
  };

/** @param before the text that was there: functions that stand in it as they are stay whole */
function giving(constantOf: string, text: string, before: string | null): string | null {
  const changed = withBodies(text, before, ({ start, end, empty }) => {
    const body = text.slice(start, end);
    if (empty !== '') return `__constantOf(${body})`;
    // What is given back bit by bit is no value of a kind.
    if (!/\breturn\b/.test(body) || /\byield\b/.test(body)) return body;
    return /\bawait\b/.test(body)
      ? ` return (async () => {${body}\n})().then(__constantOf); `
      : ` return __constantOf((() => {${body}\n})()); `;
  });
  return changed === null ? null : `${changed}${constantOf}`;
}
