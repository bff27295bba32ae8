import type { Assertions } from '../language.ts';

/** Go has no assertions, and its `!` only says so of a condition. */
export const assertions: Assertions = { denial: { before: /^\s*if (?=!)/, not: '!' } };
