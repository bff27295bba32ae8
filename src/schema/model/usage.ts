/** Sums of tokens and time. Pure, and without zod: the page uses it. */
import type { Usage } from './turn.ts';

/** Tokens that the model read, cached or not. */
export const tokensIn = ({ input, cacheRead, cacheWrite }: Usage): number =>
  input + cacheRead + cacheWrite;

/** Tokens that the model wrote; thoughts are counted apart from the answer. */
export const tokensOut = ({ output, thinking }: Usage): number => output + thinking;

export const allTokens = (usage: Usage): number => tokensIn(usage) + tokensOut(usage);

/** @param times -1 subtracts */
export const addUsage = (one: Usage, other: Usage, times = 1): Usage => ({
  input: one.input + times * other.input,
  output: one.output + times * other.output,
  thinking: one.thinking + times * other.thinking,
  cacheRead: one.cacheRead + times * other.cacheRead,
  cacheWrite: one.cacheWrite + times * other.cacheWrite,
  modelMs: one.modelMs + times * other.modelMs,
});
