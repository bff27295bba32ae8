/** Waits between two attempts, and candidates that are not used for a while. */
import * as z from 'zod';
import { TurnStatus } from '../model/turn.ts';
import { recordSchema } from '../record-schema.ts';

/**
 * No request is sent before the wait is over. If this process is cut off, the next one continues the wait.
 */
const WAIT_STARTED = recordSchema('wait_started', {
  /** The longest duration in milliseconds. */
  ms: z.number().int(),
  /** Milliseconds since 1970. */
  until: z.number().int(),
  why: z.string(),
});

export const WAIT_RECORDS = [
  WAIT_STARTED,
  recordSchema('wait_ended', {}),
  /** Another candidate was to be asked and could not even be described. */
  recordSchema('candidate_failed', {
    provider: z.string(),
    model: z.string(),
    profile: z.string(),
    status: TurnStatus,
  }),
] as const;

/** The health of one candidate. */
export interface Condition {
  /** Consecutive failures. */
  readonly failures: number;
  /** Milliseconds on the clock of the process that holds the run; a time in the past: it may be asked. */
  readonly coolsUntil: number;
  /** Milliseconds; the longest time for which it is not used. */
  readonly coolsFor: number;
  /** True if the part is not used again before a person has solved the problem. */
  readonly isSkipped: boolean;
  /** The server stated the duration. */
  readonly isAsked?: true;
}

/** By profile, and by model on a profile. A missing entry is healthy. */
export type HealthByPart = { readonly [part: string]: Condition };

/** What was tried in the current turn, by candidate. */
export interface Tries {
  /** Attempts that count. */
  readonly attempts: number;
  readonly asked: { readonly [candidate: string]: number };
  /** Candidates that have used up their attempts. */
  readonly spent: readonly string[];
}

/** A wait that is not over. */
export interface OpenWait extends Readonly<Omit<z.infer<typeof WAIT_STARTED>, 'type'>> {
  /** A different process from the one that began it continues it. */
  readonly isTakenUp?: true;
}
