/** Waits between two attempts, and the ways to a model that are left alone for a while. */
import * as z from 'zod';
import { TurnStatus } from '../model/turn.ts';

export const WAIT_RECORDS = [
  /** Nobody is asked before it is over; it is taken up by the next process where this one is cut off. */
  z.object({
    type: z.literal('wait_started'),
    /** Milliseconds; it never lasts longer. */
    ms: z.number().int(),
    /** Milliseconds since 1970. */
    until: z.number().int(),
    why: z.string(),
  }),
  z.object({ type: z.literal('wait_ended') }),
  /** A further model that was to be asked could not even be described. */
  z.object({
    type: z.literal('candidate_failed'),
    provider: z.string(),
    model: z.string(),
    profile: z.string(),
    status: TurnStatus,
  }),
] as const;

/** How one way to a model is doing. */
export interface Condition {
  /** In a row. */
  readonly failures: number;
  /** Milliseconds on the clock of whoever keeps it; in the past: it may be asked. */
  readonly coolsUntil: number;
  /** Milliseconds; it is never left alone for longer. */
  readonly coolsFor: number;
  /** Not asked again before a person has seen to it. */
  readonly isSkipped: boolean;
  /** The server said for how long. */
  readonly isAsked?: true;
}

/** By profile, and by model on a profile. What is not in it is well. */
export type Health = { readonly [part: string]: Condition };

/** What was tried in the turn under way, by candidate. */
export interface Tries {
  /** Those that count. */
  readonly attempts: number;
  readonly asked: { readonly [candidate: string]: number };
  /** Candidates that had their chances. */
  readonly spent: readonly string[];
}

/** A wait that has not come to its end. */
export interface OpenWait {
  readonly ms: number;
  readonly until: number;
  readonly why: string;
  /** Another process than the one that began it goes on with it. */
  readonly isTakenUp?: true;
}
