import type { ToolCall } from '../schema/model/messages.ts';
import type { RunState } from '../schema/state.ts';
import type { Limits, Step } from './step.ts';

/** The decisions that the steps leave to the driver of a run. All are pure. */
export interface DrivingSteps {
  /** True when the driver limits repairs itself: then a check may fail as often as it allows repairs. */
  readonly mendsByItself: boolean;
  /** Gets a plan for the goal, or a new plan for what is left of it. */
  planStep(state: RunState, limits: Limits): Step;
  /** Reports the outcome of a finished call to the model. */
  outcomeStep(state: RunState): Step;
  /** The step that must precede a call; `null`: none. */
  beforeCall(state: RunState, call: ToolCall): Step | null;
  /** Continues what the driver began outside the subtask's normal course; `null`: nothing is open. */
  unfinishedStep(state: RunState): Step | null;
  /** The next step inside the active subtask. */
  workStep(state: RunState, limits: Limits): Step;
  /** The next step after a text where a call was expected; `null`: no text can come. */
  textStep(state: RunState): Step | null;
  /** The reply to an answer that cannot be used as file content; `null`: no content was asked for. */
  unusableContentStep(state: RunState): Step | null;
  /** The reply to an answer that was cut off. @param detail the reason as the turn states it */
  cutReply(detail: string): string;
  /** Continues the same plan after a missing permission was granted; `null`: the plan is made anew. */
  permittedStep(state: RunState): Step | null;
  /** Tells the model what contradicts its claim, if work can repair it; `null`: nothing is told. */
  doubtStep(state: RunState): Step | null;
  /** Hands the run to another driver when this one cannot lead the model. */
  fallBackStep(state: RunState): Step | null;
}
