import * as z from 'zod';
import { defined } from '../../lib/defined.ts';

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
  /** Subtasks that may be worked on at once, each as a run of its own; left out: one after the other, in this run. */
  readonly parallel?: number;
}

type Named = { readonly [Name in keyof Limits]?: number | undefined };

/** The bounds among other fields, without those that are not set. One that is left out here does not compile. */
export function limitsIn({ maxRounds, maxTokens, maxCost, maxTimeMs, parallel }: Named): Limits {
  const all: Record<keyof Limits, number | undefined> = {
    ...{ maxRounds, maxTokens },
    ...{ maxCost, maxTimeMs, parallel },
  };
  return defined(all);
}

const count = z.number().int().min(1).optional();

/** Bounds of one message of a conversation, as the program that holds it named them. */
export const MessageLimits = z.object({
  /** Turns. */
  iterations: count,
  /** Calls that are carried out of one reply. */
  callsPerReply: count,
  calls: count,
  /** Whether the last turn offers no tool any more. */
  closes: z.boolean().optional(),
  /** Turns without a call that did what it was to do: so many are not counted. */
  freeIdle: count,
});
export type MessageLimits = z.infer<typeof MessageLimits>;

const amount = z.number().optional();

/** They hold in every process that takes the run up and names none of its own. */
export const LIMITS_SET = z.object({
  type: z.literal('limits_set'),
  maxRounds: amount,
  maxTokens: amount,
  maxCost: amount,
  maxTimeMs: amount,
  parallel: amount,
  /** Of a conversation. */
  message: MessageLimits.optional(),
});
