/** JSON from outside, which may hold anything. Pure. */
import type * as z from 'zod';

/** `undefined` for a text that is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True for an object with fields, but not for a list or `null`. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * A value that fits a schema; `null` for anything else. A missing value is not checked: to refuse it, a start
 * would load zod.
 */
export const fitting = <Content>(value: unknown, schema: z.ZodType<Content>): Content | null =>
  value === undefined ? null : (schema.safeParse(value).data ?? null);
