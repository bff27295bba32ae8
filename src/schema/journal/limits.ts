import * as z from 'zod';
import { defined } from '../../lib/defined.ts';
import { recordSchema } from '../record-schema.ts';

const amount = z.number().optional();

const LIMITS = {
  /** Since the last resume; left out: the driver's default. */
  maxRounds: amount,
  /** Over the whole run, of every kind, including cached ones. */
  maxTokens: amount,
  /** US dollars, over the whole run. */
  maxCost: amount,
  /** Milliseconds since the last resume. */
  maxTimeMs: amount,
  /**
   * How many subtasks may be worked on at once, each as a run of its own; left out: one after the other, in
   * this run.
   */
  parallel: amount,
};

/** The limits that a run begins with. The first record holds them, so that no kill separates a run from its limits. */
export const FirstLimits = z.object(LIMITS);

/** Bounds of one run. Left out: none. */
export type Limits = { readonly [Name in keyof typeof LIMITS]?: number };

type Named = { readonly [Name in keyof Limits]?: number | undefined };

/** Picks the limits that are set from among other fields. */
export const limitsIn = (named: Named): Limits =>
  defined(Object.fromEntries(LIMIT_NAMES.map((name) => [name, named[name]])));

const LIMIT_NAMES = Object.keys(LIMITS) as readonly (keyof Limits)[];

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

/** Limits that apply in every process that takes up the run without limits of its own. */
export const LIMITS_SET = recordSchema('limits_set', {
  ...LIMITS,
  /** For a conversation. */
  message: MessageLimits.optional(),
});
