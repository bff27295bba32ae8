/**
 * Calls in the form in which steps carry them out: read once, judged once, and answered if a person had to be
 * asked.
 */
import type { ToolCall } from '../../schema/model/messages.ts';
import type { Step } from '../../steps/step.ts';
import type { ReadCall } from '../../tools/calls/read-call.ts';
import type { CallDecision } from '../../tools/decision.ts';

export interface JudgedCall {
  /** With the arguments that a person substituted. */
  readonly call: ToolCall;
  readonly read: ReadCall;
  /** Why the loop guard blocks it; `null`: it does not. */
  readonly blocked: string | null;
  /** Why it must wait, or why its subtask is not done; `null`: no such reason. */
  readonly denied: string | null;
  /** The decision of the rules and then of a person. */
  readonly decision: CallDecision;
  /** Ids of the questions whose answers led to the decision. */
  readonly answered: readonly string[];
}

/** `null`: the check needs no command. */
interface Judged {
  readonly judged: JudgedCall | null;
}

/** A step that can be taken, whatever becomes of its calls. */
export type ReadyStep =
  | Exclude<Step, { do: 'execute' | 'check' | 'prove' }>
  | { readonly do: 'execute'; readonly judged: JudgedCall }
  | (Extract<Step, { do: 'check' }> & Judged)
  | (Extract<Step, { do: 'prove' }> & Judged);
