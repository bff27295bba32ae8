/** Refuses wrong values of a program that was not compiled against the types. Pure. */
import { misuse } from './errors.ts';

const KINDS = {
  'a text': (value: unknown) => typeof value === 'string',
  'a list': Array.isArray,
  'an object': (value: unknown) => typeof value === 'object' && value !== null,
  'a recording': (value: unknown) => Array.isArray((value as { turns?: unknown } | null)?.turns),
};

/** Throws E_USAGE. @param called the name under which programs call the function */
export function takes(called: string, kind: keyof typeof KINDS, value: unknown): void {
  if (!KINDS[kind](value)) throw misuse(`${called} takes ${kind}.`, 'See docs/api.md.');
}
