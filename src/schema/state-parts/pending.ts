import type { ActionStatus, Capability } from '../actions.ts';
import type { ToolCall } from '../model/messages.ts';
import type { ShownFile } from './shown-file.ts';

/** Calls decided on and not yet carried out, from `next` on. */
export interface PendingCalls {
  readonly calls: readonly ToolCall[];
  readonly next: number;
  /** True for calls of the engine, and for those read out of text: no call of theirs is on the wire, nor may a result be. */
  readonly areRecovered: boolean;
  /** The finished action the model has not been told of yet. */
  readonly unreportedResult: {
    readonly seq: number;
    readonly offset: number;
    /** Characters of its result. */
    readonly length: number;
    readonly callId: string;
    readonly tool: string;
    readonly does?: Capability;
    /** Files whose whole text it holds. */
    readonly shows?: readonly ShownFile[];
  } | null;
  /** True after a call that ended neither ok nor error: the calls behind it are not run. */
  readonly isHalted: boolean;
  /** The call that they, or only further ends of subtasks, are not run for, where the model is told. */
  readonly haltedBy?: { readonly tool: string; readonly status: ActionStatus };
  /** True for a content that was tried in the copy, and for one that was chosen to be written. */
  readonly isTried?: true;
  readonly isTaken?: true;
  /** True after a call that proposed a plan, until that is the plan of the run. */
  readonly isPlanDue?: true;
  /** In a conversation: the turn that asked for them. */
  readonly turn?: number;
  /** In a conversation: one of them did what it was to do. */
  readonly isFruitful?: true;
  /** Of the calls that stood whole in an answer that was cut off: what was said of the cut. */
  readonly cutOff?: string;
}
