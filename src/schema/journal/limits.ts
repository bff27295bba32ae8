import * as z from 'zod';
import { defined } from '../../lib/defined.ts';

/** Bounds of one run. Left out: none. */
export interface Limits {
  /** Since the last resume; left out: the driver's default. */
  readonly maxRounds?: number;
  /** Over the whole run, of every kind, including cached ones. */
  readonly maxTokens?: number;
  /** US dollars, over the whole run. */
  readonly maxCost?: number;
  /** Milliseconds since the last resume. */
  readonly maxTimeMs?: number;
  /**
   * How many subtasks may be worked on at once, each as a run of its own; left out: one after the other, in
   * this run.
   */
  readonly parallel?: number;
}

type Named = { readonly [Name in keyof Limits]?: number | undefined };

/** Picks the limits that are set from among other fields. Forgetting one here does not compile. */
export function limitsIn({ maxRounds, maxTokens, maxCost, maxTimeMs, parallel }: Named): Limits {
  const all: Record<keyof Limits, number | undefined> = {
    maxRounds,
    maxTokens,
    maxCost,
    maxTimeMs,
    parallel,
  };
  return defined(all);
}

const count = z.number().int().min(1).optional();

/** Limits of one message of a conversation, as the program that holds it set them. */
export const MessageLimits = z.object({
  /** Turns. */
  iterations: count,
  /** Calls of one reply that are carried out. */
  callsPerReply: count,
  calls: count,
  /** Whether the last turn offers no tools. */
  closes: z.boolean().optional(),
  /** How many turns without a successful call are not counted. */
  freeIdle: count,
});
export type MessageLimits = z.infer<typeof MessageLimits>;

const amount = z.number().optional();

const LIMITS = {
  maxRounds: amount,
  maxTokens: amount,
  maxCost: amount,
  maxTimeMs: amount,
  parallel: amount,
} satisfies Record<keyof Limits, typeof amount>;

/** The limits that a run begins with. The first record holds them, so that no kill separates a run from its limits. */
export const FirstLimits = z.object(LIMITS);

/** They apply in every process that takes up the run without limits of its own. */
export const LIMITS_SET = z.object({
  type: z.literal('limits_set'),
  ...LIMITS,
  /** For a conversation. */
  message: MessageLimits.optional(),
});
