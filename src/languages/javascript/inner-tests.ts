/** Pure: tests that stand in the file of their code, where vitest finds them. */
import { blocksIn } from '../files/blocks.ts';
import type { LineRange } from '../language.ts';

export const innerTests = (_path: string, text: string): readonly LineRange[] =>
  blocksIn(text, /^\s*if\s*\(\s*import\.meta\.vitest\b/);
