import type { Installed } from '../languages/language.ts';
import type { Learnt } from '../llm/models/lessons.ts';
import type { DecodeContext, ToolModeCodec } from '../llm/tool-modes/tool-mode.ts';
import type { Capability, ToolNames } from '../schema/actions.ts';
import type { DriverName, DriverTraits } from '../schema/driver.ts';
import type { Message } from '../schema/model/messages.ts';
import type { ModelQuestion } from '../schema/model/question.ts';
import type { ToolDefinition } from '../schema/model/turn.ts';
import type { Plan, Subtask } from '../schema/plan.ts';
import type { Decoded, RoundOrigin } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import type { ShownFile } from '../schema/state-parts/shown-file.ts';
import type { DrivingSteps } from '../steps/driver.ts';
import type { PlannedCall, Step } from '../steps/step.ts';
import type { Tool } from '../tools/contract.ts';

export type AskStep = Extract<Step, { do: 'ask' }>;

/** The files of the workspace at one moment; no method ever throws. */
export interface DriverWorld {
  readText(path: string): string | null;
  exists(path: string): boolean;
  /** In bytes; `null` if there is no such file. */
  size(path: string): number | null;
  /** Names of at most `count` files, sorted. */
  files(count: number): readonly string[];
  /** True for a file whose text may not be shown without permission: it counts as having none. */
  needsApproval?(path: string): boolean;
}

/** What a driver builds its words from. */
export interface DriverView {
  readonly state: RunState;
  readonly world: DriverWorld;
  /** The languages' programs that are installed here. */
  readonly installed: Installed;
  readonly names: ToolNames;
  /** The tools that a plan may name, in their order. */
  readonly plannable: readonly string[];
  /** The output of a command or check, by the offset of its record in the journal. */
  outputAt(offset: number): string;
}

/** A call that is about to be carried out. */
export interface PlannedCallFacts {
  readonly tool: string;
  readonly does?: Capability;
  /** True if the call only reads, searches, runs tests or checks, or queries git. */
  readonly isReadOnly: boolean;
  /** The files that the call would change although the brief says that they must stay. */
  readonly mustStay: readonly string[];
}

/** A finished answer of the model. */
export interface FinishedReply {
  readonly message: Extract<Message, { role: 'assistant' }>;
  /** True if the reply was cut off: only its complete parts count. */
  readonly isCut: boolean;
}

/** What reading an answer needs. */
export interface ReadingView {
  readonly world: Pick<DriverWorld, 'readText'>;
  readonly state: RunState;
  readonly names: ToolNames;
  readonly tools: readonly Tool[];
  readonly onWire: DecodeContext;
}

/** The text, and the files that it shows. */
export interface DriverWords {
  readonly text: string;
  readonly shows?: readonly ShownFile[];
  /** Messages from this seq on are removed from the conversation first. */
  readonly rewindTo?: number;
}

export interface AcceptedClaim {
  readonly ended: readonly string[];
  /** Whether it claims that they are done. */
  readonly success: boolean;
}

/**
 * Who leads a run: decides where the plan comes from, what is next, what a text means and which tools are
 * open, and words the messages. It keeps nothing between two steps: all it knows is in the folded state.
 */
export interface Driver extends DrivingSteps, DriverTraits {
  readonly name: DriverName;
  /** Whether programs may be left running in the background. */
  readonly leavesRunning: boolean;
  /** Whether its model gets the tools of servers and of the embedding program. */
  readonly hasFurtherTools: boolean;
  /** After this many consecutive failed edits the model sees the current text of the file; `null`: never. */
  readonly showsTextFrom: number | null;
  /** The work pauses when a call is refused for a second time because nobody could be asked. */
  readonly waitsForPerson: boolean;
  /** Undeclared effects of a command on the user's files are undone at once. */
  readonly putsBack: boolean;
  /** Changing a file that existed before needs a yes, as removing one does. */
  readonly asksToChange: boolean;
  /** The run ends with a verdict, so the outcomes of commands are kept as evidence. */
  readonly hasVerdict: boolean;
  /**
   * How its model is asked to summarise what is dropped when the conversation fills the window; `null`: the summary is
   * made from the state.
   * @param room characters for the text to summarise
   * @param isSummedUp the first message is an earlier summary
   */
  readonly summary:
    | ((messages: readonly Message[], room: number, isSummedUp: boolean) => readonly Message[])
    | null;
  /** The lesson about the model of a run that changes to this driver. */
  readonly learnt: Learnt;
  readonly codec: Pick<ToolModeCodec, 'encode' | 'conversation'>;
  /** The messages before the conversation of a question. @param system prompt of the run */
  opening(question: ModelQuestion, system: string): readonly Message[];
  /** The question that tries the goal directly before any plan; `null`: this folder gets none. */
  plainTry(view: DriverView): DriverWords | null;
  /** What an answer to a question means. */
  decode(question: ModelQuestion, reply: FinishedReply, view: ReadingView): Decoded;
  /** The tools as its model sees them. @param window in tokens */
  definitions(tools: readonly Tool[], window: number): readonly ToolDefinition[];
  /** Calls that open a round before the model is asked anything. */
  openingCalls(origin: RoundOrigin, view: DriverView): readonly PlannedCall[];
  /** @param notes one line on how programs are organised here, for models that need it */
  systemPrompt(notes: string, names: ToolNames): string;
  subtaskStarted(plan: Plan, subtask: Subtask, view: DriverView): string;
  question(ask: AskStep, view: DriverView): DriverWords;
  /** @param output the whole output of the check. @param isProof of the model's own plan, which may be wrong itself */
  failedCheck(output: string, isProof: boolean, names: ToolNames): string;
  /** Why a call has to wait, whatever the policy says about it; `null`: it need not. */
  closedReason(call: PlannedCallFacts, view: Pick<DriverView, 'state' | 'names'>): string | null;
  /** The plan, repeated to the model that set it. @param view of the run as the plan is set */
  planReply(plan: Plan, view: DriverView): string;
  /** The goal, before the work of a plan that was given with it. */
  goalToWork(view: DriverView): string;
  completionReply(view: DriverView, claim: AcceptedClaim): string;
  /** The reply if one of the claims is refused. @param reason what speaks against it */
  refusalReply(state: RunState, ended: readonly string[], reason: string): string;
  /** The reply to a text instead of a call. @param missing what speaks against the subtask, or '' */
  nudge(view: DriverView, missing: string): string;
}
