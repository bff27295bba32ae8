/** What the state of a goal has that the driver `guided` alone writes. */
import type { ToolCall } from '../model/messages.ts';
import type { PlainTry } from './plain-try.ts';

/** A content of a file that was tried, and is not written. */
export interface Candidate {
  /** What writes it. */
  readonly call: ToolCall;
  /** Where its turn stands, and how long its answer is. */
  readonly offset: number;
  readonly length: number;
  /** How much of what was given it fails; what an earlier one could be held against and this one not is a part of it. */
  readonly failed: number;
  /** What it was held against. */
  readonly checks: readonly string[];
  /** Figures of the goal are part of that. */
  readonly lacksFigures?: true;
}

/** A file whose content is asked for apart from the action that named it. */
export interface ContentRequest {
  readonly file: string;
  readonly tries: number;
  /** What was wrong with the last try. */
  readonly faults: readonly string[];
  /** How many answers brought what the file holds; left out before the first. */
  readonly unchanged?: number;
  /** Those of this request; left out before the first. */
  readonly candidates?: readonly Candidate[];
  /** What was run in the copy for the one that is tried now: where each record stands, by its id. */
  readonly trials?: { readonly [id: string]: number };
}

/** In the place of a number of repairs: one brought nothing new, so the file is asked for no more. */
export const INEFFECTIVE_REPAIR = 10;

export interface GuidedState {
  readonly contentRequest: ContentRequest | null;
  /** Left out where a plan is the first question. */
  readonly plainTry?: PlainTry;
  /** The goal in the numbered parts that the model was shown; left out before it was cut. */
  readonly goalParts?: readonly string[];
}
