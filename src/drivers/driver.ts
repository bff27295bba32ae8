import type { Installed } from '../languages/language.ts';
import type { Learnt } from '../llm/models/lessons.ts';
import type { DecodeContext, ToolModeCodec } from '../llm/tool-modes/tool-mode.ts';
import type { Capability, ToolNames } from '../schema/actions.ts';
import type { DriverName, DriverTraits } from '../schema/driver.ts';
import type { Message } from '../schema/model/messages.ts';
import type { Question } from '../schema/model/question.ts';
import type { ToolDefinition } from '../schema/model/turn.ts';
import type { Plan, Subtask } from '../schema/plan.ts';
import type { Decoded, RoundOrigin } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import type { ShownFile } from '../schema/state-parts/shown-file.ts';
import type { DrivingSteps } from '../steps/driver.ts';
import type { PlannedCall, Step } from '../steps/step.ts';
import type { Tool } from '../tools/contract.ts';
import type { LinePort } from './line-edit.ts';

export type Ask = Extract<Step, { do: 'ask' }>;

/** The files of the workspace; nothing of it ever throws. */
export interface DriverWorld {
  readText(path: string): string | null;
  exists(path: string): boolean;
  /** Those of the paths that are there. */
  whichExist(paths: readonly string[]): ReadonlySet<string>;
  /** In bytes; `null` where there is no such file. */
  size(path: string): number | null;
  /** Names of at most `count` files, sorted. */
  files(count: number): readonly string[];
  /** True for a file whose text may not be shown without a yes: it has none here. */
  needsApproval?(path: string): boolean;
  /** The same for one look, while nothing changes: nothing is looked at twice. */
  oneLook?(): DriverWorld;
}

/** What a driver puts its words together from. */
export interface DriverView {
  readonly state: RunState;
  readonly world: DriverWorld;
  /** What of the languages' programs is on this machine. */
  readonly installed: Installed;
  readonly names: ToolNames;
  /** The tools that a plan may name, in their order. */
  readonly plannable: readonly string[];
  /** What a command or check said, by the place of its record in the journal. */
  outputAt(offset: number): string;
}

/** A call as it is about to be carried out. */
export interface PlannedCallFacts {
  readonly tool: string;
  readonly does?: Capability;
  /** It only reads, searches, runs tests or checks, or reads what git knows. */
  readonly isReadOnly: boolean;
}

/** An answer of the model that has ended. */
export interface Reply {
  readonly message: Extract<Message, { role: 'assistant' }>;
  /** Before its end: what counts of it came whole before that. */
  readonly isCut: boolean;
}

/** What an answer is read by. */
export interface ReadingView extends LinePort {
  readonly state: RunState;
  readonly names: ToolNames;
  readonly tools: readonly Tool[];
  readonly onWire: DecodeContext;
}

/** What is said, and the files that stand in it. */
export interface Words {
  readonly text: string;
  readonly shows?: readonly ShownFile[];
  /** Messages from this seq on leave the conversation first. */
  readonly rewindTo?: number;
}

export interface AcceptedClaim {
  readonly ended: readonly string[];
  /** It says that they are done. */
  readonly success: boolean;
}

/**
 * Who leads a run: how a plan comes, what is next, what a text means, which tools are open, and its
 * words. Nothing of a driver is kept between two steps: all it knows is in the folded state.
 */
export interface Driver extends DrivingSteps, DriverTraits {
  readonly name: DriverName;
  /** Programs may be left running in the background. */
  readonly leavesRunning: boolean;
  /** Its model is told of the tools of servers and of the embedding program. */
  readonly hasFurtherTools: boolean;
  /** From so many failed edits in a row on the model is shown the text that a file has now; `null`: never. */
  readonly showsTextFrom: number | null;
  /** What was refused a second time, since nobody could be asked, pauses the work. */
  readonly waitsForPerson: boolean;
  /** What a command did to files of the user's that nobody declared is put back at once. */
  readonly putsBack: boolean;
  /** A change of a file that was there before needs a yes, as a removal does. */
  readonly asksToChange: boolean;
  /** There is a verdict at the end: what a command came to is kept as evidence for it. */
  readonly hasVerdict: boolean;
  /**
   * How its model is asked to sum up what is left out where the conversation fills the window; `null`:
   * the summary is made from the state.
   * @param room characters for what is summed up
   */
  readonly summary: ((messages: readonly Message[], room: number) => readonly Message[]) | null;
  /** What a run that moves to it has learnt of its model. */
  readonly learnt: Learnt;
  readonly codec: Pick<ToolModeCodec, 'encode' | 'conversation'>;
  /** What stands before the conversation of a question. @param system prompt of the run */
  opening(question: Question, system: string): readonly Message[];
  /** The question of a plain try before any plan; `null`: there is none in this folder. */
  plainTry(view: DriverView): Words | null;
  /** What an answer to a question comes to. */
  decode(question: Question, reply: Reply, view: ReadingView): Decoded;
  /** The tools as its model is told them. @param window in tokens */
  definitions(tools: readonly Tool[], window: number): readonly ToolDefinition[];
  /** Calls that open a round before the model is asked anything. */
  openingCalls(origin: RoundOrigin, view: DriverView): readonly PlannedCall[];
  /** @param notes one line on how programs are laid out here, for models that need it */
  systemPrompt(notes: string, names: ToolNames): string;
  subtaskStarted(plan: Plan, subtask: Subtask, view: DriverView): string;
  question(ask: Ask, view: DriverView): Words;
  /** @param output what the check said, in whole. */
  failedCheck(output: string, isProof: boolean, names: ToolNames): string;
  /** Why a call has to wait, whatever the policy says of it; `null`: it has not. */
  closedReason(call: PlannedCallFacts, view: Pick<DriverView, 'state' | 'names'>): string | null;
  /** The plan, said back to the model that set it. @param view of the run as the plan is set */
  planReply(plan: Plan, view: DriverView): string;
  /** The goal, said before the work of a plan that was given with it. */
  goalToWork(view: DriverView): string;
  /** What came of a claim that stands. */
  completionReply(view: DriverView, claim: AcceptedClaim): string;
  /** The same where one of them does not stand. @param reason what speaks against it */
  refusalReply(state: RunState, ended: readonly string[], reason: string): string;
  /** For a text where a call was wanted. @param missing what speaks against the subtask, or '' */
  nudge(view: DriverView, missing: string, tools: readonly string[]): string;
}
