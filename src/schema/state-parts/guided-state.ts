/** The part of the state that only the driver `guided` writes. */
import type { ToolCall } from '../model/messages.ts';
import type { PlainTry } from './plain-try.ts';

/** A version of a file that was tried and is not written. */
export interface UnwrittenVersion {
  /** The call that writes it. */
  readonly call: ToolCall;
  /** The offset of its turn in the journal, and the length of its answer. */
  readonly offset: number;
  readonly length: number;
  /** How many checks the version fails, including checks that only an earlier version could be put to. */
  readonly failed: number;
  /** The checks that the version was put to. */
  readonly checks: readonly string[];
  /** The version fails the check for the figures of the goal. */
  readonly lacksFigures?: true;
}

/** A file whose content is asked for separately from the action that named it. */
export interface ContentRequest {
  readonly file: string;
  readonly tries: number;
  /** What was wrong with the last try. */
  readonly faults: readonly string[];
  /** How many answers repeated the file's content; left out before the first. */
  readonly unchanged?: number;
  /** The candidates of this request; left out before the first. */
  readonly candidates?: readonly UnwrittenVersion[];
  /** Trials in the copy of the candidate under test: the offset of each record, by its id. */
  readonly trials?: { readonly [id: string]: number };
}

/** Stored as the number of repairs after one changed nothing: the file is not asked for again. */
export const INEFFECTIVE_REPAIR = 10;

export interface GuidedState {
  readonly contentRequest: ContentRequest | null;
  /** Left out if a plan is the first question. */
  readonly plainTry?: PlainTry;
  /** The goal in the numbered parts that the model was shown; left out before it was cut. */
  readonly goalParts?: readonly string[];
}
