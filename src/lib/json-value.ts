/** JSON from outside, of which nothing is known. Pure. */
import type * as z from 'zod';

/** `undefined` for a text that is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an object with fields: no list, not `null`. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * What fits a schema; `null` for anything else. A value that was not there is not put to the schema: to refuse it, a start
 * would load zod.
 */
export const fitting = <Content>(value: unknown, schema: z.ZodType<Content>): Content | null =>
  value === undefined ? null : (schema.safeParse(value).data ?? null);
