import type { Capability } from '../schema/actions.ts';
import type { DriverName } from '../schema/driver.ts';
import type { Side } from '../schema/journal/swap.ts';
import type { MessageCause } from '../schema/model/message-cause.ts';
import type { ToolCall } from '../schema/model/messages.ts';
import type { Question } from '../schema/model/question.ts';
import type { Ending, RoundOrigin } from '../schema/records.ts';
import type { Paused } from '../schema/state.ts';
import type { StoredText } from '../schema/text.ts';

export type { Limits } from '../schema/journal/limits.ts';

/** A call without a turn: of the tool that a plan names, or of the one that does what is needed. */
export type PlannedCall = { readonly id: string; readonly args: ToolCall['args'] } & (
  | { readonly name: string }
  | { readonly does: Capability }
);

/** What happens next. Every step leaves at least one record behind, so a run always moves. */
export type Step =
  | {
      readonly do: 'ask';
      readonly question: Question;
      /** Why the engine speaks; `null` when the conversation already ends with what to answer. */
      readonly cause: MessageCause | null;
      /** Answers refused so far: each raises the temperature. */
      readonly tries: number;
    }
  /** The goal is cut into the parts that the model is shown. */
  | { readonly do: 'cut_goal' }
  /** What the model says of the goal is held against it. */
  | { readonly do: 'adopt_brief' }
  /** At the tests that are there, before a plan is asked for. */
  | { readonly do: 'look' }
  | { readonly do: 'adopt_plan' }
  /** The plain try before a plan: its question, what came of it, and that nothing did. */
  | { readonly do: 'begin_try' }
  | { readonly do: 'adopt_try' }
  | { readonly do: 'end_try'; readonly why: string }
  /** The plan that a call proposed becomes the plan of the run. */
  | { readonly do: 'adopt_call' }
  /** The person who wanted to see it first is asked about the plan. */
  | { readonly do: 'agree_plan' }
  /** The goal itself is the plan; `isAnswer`: a text was said, and nothing changed. */
  | { readonly do: 'plan_goal'; readonly why: string; readonly isAnswer: boolean }
  /** What stands against a further subtask of a claim is told. */
  | { readonly do: 'refuse_claim'; readonly reason: string }
  | { readonly do: 'start_subtask'; readonly id: string }
  /** Subtasks, each as a run of its own, are worked to their ends. */
  | { readonly do: 'run_children'; readonly subtasks: readonly string[] }
  /** What one of them changed comes into the workspace, or nothing of it does. */
  | { readonly do: 'join_child'; readonly subtask: string }
  | { readonly do: 'tell_child'; readonly subtask: string }
  | {
      readonly do: 'open_round';
      readonly origin: RoundOrigin;
      readonly calls: readonly PlannedCall[];
      /** Its content is asked for. */
      readonly file?: string;
    }
  | { readonly do: 'execute'; readonly call: ToolCall }
  | { readonly do: 'skip_call'; readonly call: ToolCall }
  /** A content is tried in the copy before it is written; then one of several is chosen. */
  | { readonly do: 'try_candidate'; readonly call: ToolCall }
  | { readonly do: 'take_candidate'; readonly index: number }
  | { readonly do: 'tell' }
  /** What a person said while the run worked goes to the model. */
  | { readonly do: 'pass_on' }
  /** The model learns which programs in the background were ended. */
  | { readonly do: 'tell_ended' }
  | { readonly do: 'check'; readonly index: number }
  /** The proof is run before anything is changed, to see whether it fails. */
  | { readonly do: 'prove_before' }
  /** A checker that finds something is tried with the files as the run found them. */
  | { readonly do: 'look_as_found'; readonly cmd: string }
  | { readonly do: 'tell_failed_check'; readonly isProof: boolean }
  /** The proof is run before the run is called failed, for the reason that is given. */
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
  /** What came behind the calls that were carried out was cut off, in the words of the turn. */
  | { readonly do: 'tell_cut'; readonly why: string }
  /** The text that the model ended its turn with is taken as its claim that the subtask is done. */
  | { readonly do: 'claim_by_text' }
  | { readonly do: 'open_branch' | 'close_branch'; readonly why: string }
  /** Files come back as they were, by the sha256 of their contents. */
  | {
      readonly do: 'put_back';
      readonly files: readonly { readonly path: string; readonly hash: string }[];
    }
  | { readonly do: 'replan'; readonly why: string }
  | { readonly do: 'switch_driver'; readonly to: DriverName; readonly why: string }
  | { readonly do: 'compact' }
  /** The model hears once what stands against its claim, and goes on with a subtask. */
  | { readonly do: 'tell_doubt'; readonly subtask: string; readonly words: string }
  /** The model hears what is allowed now; the plan stays. */
  | { readonly do: 'tell_permitted'; readonly subtask: string; readonly targets: readonly string[] }
  /** What would be claimed is held against what was done. */
  | { readonly do: 'verify'; readonly detail: string }
  /** An attempt failed, and the next one is not made before that time is over. */
  | { readonly do: 'begin_wait'; readonly ms: number; readonly why: string }
  | { readonly do: 'wait' }
  /** Another way to a model, or another model, is asked from now on: its place among the candidates. */
  | { readonly do: 'switch_model'; readonly to: number }
  /** The model that works takes over from the one that planned. */
  | { readonly do: 'begin_work' }
  /** The changes of the run leave the folder as one set, or come back into it. */
  | { readonly do: 'swap'; readonly to: Side }
  | ({ readonly do: 'pause' } & Paused)
  | {
      readonly do: 'finish';
      readonly ending: Ending;
      readonly detail: string;
      /** What a person would have to give or do. */
      readonly needs?: string;
    };

/** How often something may fail before the run goes another way: enough for a slip, no more. */
export const PATIENCE = {
  nudges: 2,
  invalidReplies: 3,
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
} as const;
