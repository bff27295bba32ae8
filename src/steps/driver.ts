import type { ToolCall } from '../schema/model/messages.ts';
import type { RunState } from '../schema/state.ts';
import type { Limits, Step } from './step.ts';

/** What the steps leave to the driver of a run. Pure, all of it. */
export interface DrivingSteps {
  /** It mends what a check found, so a check may fail as often as its repairs allow. */
  readonly mendsByItself: boolean;
  /** How a plan comes, or what is left of the goal is planned anew. */
  planStep(state: RunState, limits: Limits): Step;
  /** How the outcome of a finished call goes to the model. */
  outcomeStep(state: RunState): Step;
  /** What comes before a call is carried out; `null`: nothing does. */
  beforeCall(state: RunState, call: ToolCall): Step | null;
  /** What it began beside the subtask's own way and has not ended yet. */
  unfinishedStep(state: RunState): Step | null;
  /** What comes next inside the active subtask. */
  workStep(state: RunState, limits: Limits): Step;
  /** A text came where a call was wanted. */
  textStep(state: RunState): Step;
  /** An answer that cannot be used as the content of a file; `null`: none was asked for. */
  unusableContentStep(state: RunState): Step | null;
  /** What the model is told of an answer that was cut off. @param detail why, in the words of its turn */
  cutReply(detail: string): string;
  /** A permission that was missing is given, and the plan stays; `null`: it is made anew. */
  permittedStep(state: RunState): Step | null;
  /** What stands against a claim is told to the model, where work can mend that; `null`: it is not. */
  doubtStep(state: RunState): Step | null;
  /** The model cannot be led this way, and another driver takes over. */
  fallBackStep(state: RunState): Step | null;
}
