import type { Capability } from '../schema/actions.ts';
import type { DriverName } from '../schema/driver.ts';
import type { SwapSide } from '../schema/journal/swap.ts';
import type { MessageCause } from '../schema/model/message-cause.ts';
import type { ToolCall } from '../schema/model/messages.ts';
import type { ModelQuestion } from '../schema/model/question.ts';
import type { Ending, RoundOrigin } from '../schema/records.ts';
import type { Paused } from '../schema/state.ts';
import type { StoredText } from '../schema/text.ts';

export type { Limits } from '../schema/journal/limits.ts';

/** A call that no turn asked for: by the name of the tool in the plan, or by the capability that is needed. */
export type PlannedCall = { readonly id: string; readonly args: ToolCall['args'] } & (
  | { readonly name: string }
  | { readonly does: Capability }
);

/** What happens next. Every step writes at least one record, so a run always makes progress. */
export type Step =
  | {
      readonly do: 'ask';
      readonly question: ModelQuestion;
      /** Why the engine speaks; `null` when the conversation already ends with the question. */
      readonly cause: MessageCause | null;
      /** How many answers were refused so far; each raises the temperature. */
      readonly tries: number;
    }
  /** Splits the goal into the parts that the model is shown. */
  | { readonly do: 'cut_goal' }
  /** Checks the model's brief against the goal. */
  | { readonly do: 'adopt_brief' }
  /** Runs the existing tests before a plan is asked for. */
  | { readonly do: 'look' }
  | { readonly do: 'adopt_plan' }
  /** The plain try before a plan: ask, adopt the outcome, or end it without one. */
  | { readonly do: 'begin_try' }
  | { readonly do: 'adopt_try' }
  | { readonly do: 'end_try'; readonly why: string }
  /** Makes the plan that a call proposed the plan of the run. */
  | { readonly do: 'adopt_call' }
  /** Asks the person who wanted to see the plan first. */
  | { readonly do: 'agree_plan' }
  /** Makes the goal itself the plan; `isAnswer`: the model gave a text and changed nothing. */
  | { readonly do: 'plan_goal'; readonly why: string; readonly isAnswer: boolean }
  /** Reports what is missing for a further subtask that a claim names. */
  | { readonly do: 'refuse_claim'; readonly reason: string }
  | { readonly do: 'start_subtask'; readonly id: string }
  /** Works on subtasks to their ends, each as a run of its own. */
  | { readonly do: 'run_children'; readonly subtasks: readonly string[] }
  /** Brings a child's changes into the workspace, all or none. */
  | { readonly do: 'join_child'; readonly subtask: string }
  | { readonly do: 'tell_child'; readonly subtask: string }
  | {
      readonly do: 'open_round';
      readonly origin: RoundOrigin;
      readonly calls: readonly PlannedCall[];
      /** The file whose content the model is asked for. */
      readonly file?: string;
    }
  | { readonly do: 'execute'; readonly call: ToolCall }
  | { readonly do: 'skip_call'; readonly call: ToolCall }
  /** Tries a content in the copy before it is written; then one of several is chosen. */
  | { readonly do: 'try_candidate'; readonly call: ToolCall }
  | { readonly do: 'take_candidate'; readonly index: number }
  | { readonly do: 'tell' }
  /** Sends the model what a person said while the run worked. */
  | { readonly do: 'pass_on' }
  /** Tells the model which background programs were ended. */
  | { readonly do: 'tell_ended' }
  /** Tells the model which files somebody else changed while the run was down. */
  | { readonly do: 'tell_changed' }
  | { readonly do: 'check'; readonly index: number }
  /** Runs the proof before anything is changed, to see whether it fails. */
  | { readonly do: 'prove_before' }
  /** Tries a failing checker with the files as the run found them. */
  | { readonly do: 'look_as_found'; readonly cmd: string }
  | { readonly do: 'tell_failed_check'; readonly isProof: boolean }
  /** Runs the proof before the run is declared failed. `why`: the reason for failing; '': that it does not pass. */
  | { readonly do: 'prove'; readonly why: string }
  | {
      readonly do: 'finish_subtask';
      readonly id: string;
      readonly status: 'completed' | 'unverified';
      readonly summary: string;
      readonly answer: StoredText | null;
      readonly report?: StoredText;
    }
  | { readonly do: 'rewind'; readonly fromSeq: number; readonly why: string }
  | { readonly do: 'refuse'; readonly fromSeq: number; readonly why: string }
  | { readonly do: 'nudge' }
  /** Tells the model that everything after the executed calls was cut off; `why` is the turn's wording. */
  | { readonly do: 'tell_cut'; readonly why: string }
  /** Takes the text that ended the turn as a claim that the subtask is done. */
  | { readonly do: 'claim_by_text' }
  | { readonly do: 'open_branch' | 'close_branch'; readonly why: string }
  /** Restores files to the contents with these sha256 hashes. */
  | {
      readonly do: 'put_back';
      readonly files: readonly { readonly path: string; readonly hash: string }[];
    }
  | { readonly do: 'replan'; readonly why: string }
  | { readonly do: 'switch_driver'; readonly to: DriverName; readonly why: string }
  | { readonly do: 'compact' }
  /** Tells the model once what contradicts its claim, and continues with a subtask. */
  | { readonly do: 'tell_doubt'; readonly subtask: string; readonly words: string }
  /** Tells the model what is allowed now; the plan stays. */
  | { readonly do: 'tell_permitted'; readonly subtask: string; readonly targets: readonly string[] }
  /** Compares the intended claim with what was done. */
  | { readonly do: 'verify' }
  /** Waits after a failed attempt: the next one starts no earlier. */
  | { readonly do: 'begin_wait'; readonly ms: number; readonly why: string }
  | { readonly do: 'wait' }
  /** Switches to another candidate, by its index. */
  | { readonly do: 'switch_model'; readonly to: number }
  /** Hands over from the planning model to the working model. */
  | { readonly do: 'begin_work' }
  /** Takes all changes of the run out of the folder, or brings them back, as one set. */
  | { readonly do: 'swap'; readonly to: SwapSide }
  | ({ readonly do: 'pause' } & Paused)
  /** Ends the run. `achieved` is only a claim here: it is verified first, and the verdict decides how the run ends. */
  | {
      readonly do: 'finish';
      readonly ending: Ending;
      readonly detail: string;
      /** What a person would have to grant or do. */
      readonly needs?: string;
    };

/** How often something may fail before the run takes another way: enough for a slip, no more. */
export const PATIENCE = {
  nudges: 2,
  invalidReplies: 3,
  plainTries: 3,
  planTries: 2,
  gateRefusals: 2,
  checkFailures: 2,
  repairsOfAFile: 2,
  replans: 2,
  blocks: 3,
  insisted: 6,
  turnsInARound: 4,
  nativeFailures: 2,
  inputQuestions: 3,
  idleRounds: 200,
} as const;
