import type { Generator } from './generator.ts';

export const GENERATORS: readonly Generator[] = [];
