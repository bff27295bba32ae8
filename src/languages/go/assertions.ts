import type { Assertions } from '../language.ts';

/** Go has no assertions: a test decides by a condition that begins with `!`. */
export const assertions: Assertions = { denial: { before: /^\s*if (?=!)/, not: '!' } };
