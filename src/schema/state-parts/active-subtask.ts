/** What a run knows of the subtask it works on. */

import type { StoredText } from '../text.ts';
import type { ActionSummary } from './run-facts.ts';

export interface ActiveSubtask {
  readonly id: string;
  readonly startedSeq: number;
  readonly actions: readonly ActionSummary[];
  /** Actions that succeeded, except completion calls. */
  readonly succeeded: number;
  /** Repairs tried, by file. */
  readonly repairs: { readonly [file: string]: number };
  /** Completion calls that a gate refused. */
  readonly gateRefusals: number;
  /** Checks that failed after a completion call. */
  readonly checkFailures: number;
  /** How often the model reported a failure. */
  readonly reportedFailures: number;
  /** The failure that the model reported last; left out before the first. */
  readonly lastFailure?: string;
  /** Consecutive replies without a tool call. */
  readonly nudges: number;
  /** Consecutive unreadable replies. */
  readonly invalidReplies: number;
  /** Calls the loop guard refused. */
  readonly blocks: number;
  /** Set by an accepted `mark_subtask_complete`, until its checks have run. */
  readonly claim: SubtaskClaim | null;
}

/** What the model said when it called `mark_subtask_complete`. */
export interface SubtaskClaim {
  readonly success: boolean;
  readonly reason: string;
  readonly answer: StoredText | null;
  /** False if the gate opened only because it must not stay closed forever. */
  readonly evidence: boolean;
  /** False after a failed check, until a repair or a new call opens it again. */
  readonly isOpen: boolean;
  /** What the person is told about the work; left out if nothing is. */
  readonly report?: StoredText;
  /** The further subtasks that the claim ends, in their order; left out if there are none. */
  readonly others?: readonly string[];
  /** True once the claim has ended the subtask in which it was made: this one must still be checked. */
  readonly isFurther?: true;
  /** Checks that ran since the claim, in the order of the subtask's checks, the proof last. */
  readonly checks: readonly { readonly passed: boolean; readonly text: string }[];
}
