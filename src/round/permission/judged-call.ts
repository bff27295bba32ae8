/** Calls as steps carry them out: read once, judged once, and answered where a person had to be asked. */
import type { ToolCall } from '../../schema/model/messages.ts';
import type { Step } from '../../steps/step.ts';
import type { ReadCall } from '../../tools/calls/read-call.ts';
import type { Decision } from '../../tools/decision.ts';

export interface JudgedCall {
  /** With what a person put in the place of its arguments. */
  readonly call: ToolCall;
  readonly read: ReadCall;
  /** Why the loop guard holds it back; `null`: it does not. */
  readonly blocked: string | null;
  /** Why it has to wait, or its subtask is not done; `null`: it has not, and it is. */
  readonly denied: string | null;
  /** What the rules say, and then a person. */
  readonly decision: Decision;
}

/** `null`: it needs no command. */
interface Judged {
  readonly judged: JudgedCall | null;
}

/** A step that may be taken, whatever becomes of its calls. */
export type ReadyStep =
  | Exclude<Step, { do: 'execute' | 'check' | 'prove' }>
  | { readonly do: 'execute'; readonly judged: JudgedCall }
  | (Extract<Step, { do: 'check' }> & Judged)
  | (Extract<Step, { do: 'prove' }> & Judged);
