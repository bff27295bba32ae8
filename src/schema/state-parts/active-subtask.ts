/** What a run knows of the subtask it works on. */

import type { StoredText } from '../text.ts';
import type { ActionSummary } from './run-facts.ts';

export interface ActiveSubtask {
  readonly id: string;
  readonly startedSeq: number;
  readonly actions: readonly ActionSummary[];
  /** Actions that ended ok, completion apart. */
  readonly succeeded: number;
  /** Repairs tried, by file. */
  readonly repairs: { readonly [file: string]: number };
  /** Completion calls that a gate refused. */
  readonly gateRefusals: number;
  /** Checks that failed after a completion call. */
  readonly checkFailures: number;
  /** Times the model said it could not. */
  readonly reportedFailures: number;
  /** What it said then; left out before the first. */
  readonly lastFailure?: string;
  /** Replies without a tool call, one after the other. */
  readonly nudges: number;
  /** Replies that could not be read, one after the other. */
  readonly invalidReplies: number;
  /** Calls the loop guard refused. */
  readonly blocks: number;
  /** Set by an accepted `mark_subtask_complete`, until its checks are through. */
  readonly claim: Claim | null;
}

/** What the model said when it called `mark_subtask_complete`. */
export interface Claim {
  readonly success: boolean;
  readonly reason: string;
  readonly answer: StoredText | null;
  /** False when the gate opened only because it may not stay closed for ever. */
  readonly evidence: boolean;
  /** False after a failed check, until a repair or a new call opens it again. */
  readonly isOpen: boolean;
  /** What is told the person of it; left out where nothing is. */
  readonly report?: StoredText;
  /** The subtasks that it ends after this one, in their order; left out where there is none. */
  readonly others?: readonly string[];
  /** True once it ended the subtask it was made in: this one is still to be looked at. */
  readonly isFurther?: true;
  /** Checks that ran since the claim, in the order of the subtask's checks, the proof last. */
  readonly checks: readonly { readonly passed: boolean; readonly text: string }[];
}
