import * as z from 'zod';

/** Bounds of one run. Left out: none. */
export interface Limits {
  /** From the last resume on; left out: as the driver has it. */
  readonly maxRounds?: number;
  /** Over the whole run, of every kind, cached ones too. */
  readonly maxTokens?: number;
  /** US dollars, over the whole run. */
  readonly maxCost?: number;
  /** Milliseconds from the last resume on. */
  readonly maxTimeMs?: number;
}

const amount = z.number().optional();

/** They hold in every process that takes the run up and names none of its own. */
export const LIMITS_SET = z.object({
  type: z.literal('limits_set'),
  maxRounds: amount,
  maxTokens: amount,
  maxCost: amount,
  maxTimeMs: amount,
});
