import type { ActionStatus, Capability } from '../actions.ts';
import type { ToolCall } from '../model/messages.ts';
import type { ShownFile } from './shown-file.ts';

/** Calls that were decided on and not yet carried out, from `next` on. */
export interface PendingCalls {
  readonly calls: readonly ToolCall[];
  readonly next: number;
  /**
   * True for calls of the engine and for calls extracted from text: they are not native calls, so they must not
   * get native results.
   */
  readonly areRecovered: boolean;
  /** The finished action that was not reported to the model yet. */
  readonly unreportedResult: {
    readonly seq: number;
    readonly offset: number;
    /** Characters of its result. */
    readonly length: number;
    readonly callId: string;
    readonly tool: string;
    readonly does?: Capability;
    /** Files whose full text the result contains. */
    readonly shows?: readonly ShownFile[];
  } | null;
  /** True after a call that ended neither ok nor with an error: the following calls are not run. */
  readonly isHalted: boolean;
  /** The call because of which they, or only further ends of subtasks, are not run, if the model is told. */
  readonly haltedBy?: { readonly tool: string; readonly status: ActionStatus };
  /** True for a content that was tried in the copy, and for one that was chosen. */
  readonly isTried?: true;
  readonly isTaken?: true;
  /** True after a call that proposed a plan, until that becomes the plan of the run. */
  readonly isPlanDue?: true;
  /** In a conversation: the turn that asked for the calls. */
  readonly turn?: number;
  /** In a conversation: one of the calls succeeded. */
  readonly isFruitful?: true;
  /** For complete calls of an answer that was cut off: the message about the cut. */
  readonly cutOff?: string;
}
