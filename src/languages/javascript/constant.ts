/** Rewrites a JavaScript or TypeScript file so that its new functions do their work, but return other values. */
import { type Alter, type SourceSyntax, withBodies } from './emptied.ts';

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

/** Alters only functions that return something. */
export const givingConstants: Alter = (text, before, dialect) =>
  giving(CONSTANT, text, before, dialect);

export const endingAtValues: Alter = (text, before, dialect) => giving(END, text, before, dialect);

function giving(
  constantOf: string,
  text: string,
  before: string | null,
  dialect: SourceSyntax,
): string | null {
  const changed = withBodies(text, before, dialect, ({ body, isBlock }) =>
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
