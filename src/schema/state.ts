import type { ActionClass, ActionStatus, FileChange } from './actions.ts';
import type { ToolCall } from './messages.ts';
import type { Plan } from './plan.ts';
import type {
  Decoded,
  Ending,
  MessageCause,
  PauseReason,
  RecordOf,
  RoundOrigin,
} from './records.ts';
import type { StoredText } from './text.ts';
import type { TurnPurpose, TurnStatus, Usage } from './turn.ts';

/** Where a live message stands in the journal; its text is read from there. `seq` names it. */
export interface MessageRef {
  readonly seq: number;
  /** Byte offset of its record in `history.jsonl`. */
  readonly offset: number;
  readonly role: 'user' | 'assistant' | 'tool';
  /** Why the engine said it; a reply of the model has none. */
  readonly cause: MessageCause | null;
  /** Characters, for the context estimate. */
  readonly length: number;
}

/** A finished action of the active subtask, short. */
export interface ActionStub {
  readonly id: string;
  readonly tool: string;
  /** Its file or command. */
  readonly target: string;
  readonly status: ActionStatus;
  /** First 120 characters of its result. */
  readonly head: string;
}

/** Where a run stands: the switch every resume goes through. */
export type Phase =
  | { readonly name: 'planning' }
  | { readonly name: 'deciding' }
  | { readonly name: 'awaiting_content'; readonly file: string }
  | { readonly name: 'executing'; readonly index: number }
  | { readonly name: 'checking' }
  | { readonly name: 'replanning' }
  | { readonly name: 'ended' };

export interface ActiveSubtask {
  readonly id: string;
  readonly startedSeq: number;
  readonly stubs: readonly ActionStub[];
  /** Actions that ended ok, completion apart. */
  readonly succeeded: number;
  /** Repairs tried, by file. */
  readonly repairs: { readonly [file: string]: number };
  /** Files that a repair gave back as they were, however it was asked for. */
  readonly standsBy: readonly string[];
  /** The fewest tests that failed so far: with fewer still, mending may go on. */
  readonly fewestFailing: number | null;
  /** Completion calls that a gate refused. */
  readonly gateRefusals: number;
  /** Checks that failed after a completion call. */
  readonly checkFailures: number;
  /** Times the model said it could not. */
  readonly saidFailure: number;
  /** Replies without a tool call, one after the other. */
  readonly nudges: number;
  /** Replies that could not be read, one after the other. */
  readonly invalidReplies: number;
  /** Calls the loop guard refused. */
  readonly blocks: number;
  /** Set by an accepted `mark_subtask_complete`, until its checks are through. */
  readonly claim: Claim | null;
}

/** What the model said when it called `mark_subtask_complete`. */
export interface Claim {
  readonly success: boolean;
  readonly reason: string;
  readonly answer: StoredText | null;
  /** False when the gate opened only because it may not stay closed for ever. */
  readonly evidence: boolean;
  /** False after a failed check, until a repair or a new call opens it again. */
  readonly isOpen: boolean;
  /** Checks that ran since the claim, in the order of the subtask's checks, the proof last. */
  readonly checks: readonly { readonly passed: boolean; readonly text: string }[];
}

export interface RoundState {
  readonly n: number;
  readonly subtask: string;
  readonly origin: RoundOrigin;
  readonly turns: number;
  /** Actions finished in it: the index of the next one. */
  readonly actions: number;
  /** True when its calls are carried out and told: the next question opens a new round. */
  readonly isOver: boolean;
}

export interface OpenIntent {
  readonly id: string;
  readonly seq: number;
  readonly offset: number;
  readonly class: ActionClass;
  readonly tool: string;
  readonly signature: string;
  readonly files: readonly FileChange[];
  /** Known once the process was spawned. */
  readonly process: { readonly pid: number; readonly startTime: string } | null;
}

export interface KnownFile {
  /** sha256 when a tool last read or wrote it; `null`: it did not exist. */
  readonly hash: string | null;
  readonly written: boolean;
  readonly problems: readonly string[];
  /** Importable names with their signatures: `add(a, b)`. */
  readonly defines: readonly string[];
  /** What the program asks its user. */
  readonly prompts: readonly string[];
}

export interface CommandFact {
  readonly cmd: string;
  readonly stdin: string | null;
  /** Subtask in which it ran. */
  readonly subtask: string;
  readonly status: ActionStatus;
  readonly exitCode: number | null;
  /** First 120 characters of what it said. */
  readonly head: string;
  /** Where its whole output stands in the journal. */
  readonly offset: number;
  /** The program's own question, when it ended for want of input. */
  readonly asksForInput: string | null;
  /** `none` where a test runner found no test; left out otherwise. */
  readonly testsRan?: 'none';
}

export interface LoopEntry {
  readonly signature: string;
  /** Hash of the result with numbers, times, paths and hex taken out. */
  readonly result: string;
  /** True when the workspace changed by it. */
  readonly changed: boolean;
  /** True for tools that look at or change files. */
  readonly fileTool: boolean;
}

export interface LoopWindow {
  /** The last ten actions. */
  readonly entries: readonly LoopEntry[];
  readonly blocked: { readonly [signature: string]: string };
}

/** Why a run stands still. */
export interface Paused {
  readonly why: PauseReason;
  readonly detail: string;
  /** The next step for the user, where there is one besides going on. */
  readonly hint?: string;
}

/** What the last turn brought, until the engine has acted on it. */
export interface LastTurn {
  readonly seq: number;
  readonly offset: number;
  readonly turn: number;
  readonly purpose: TurnPurpose;
  readonly target: string | null;
  readonly status: TurnStatus;
  readonly detail: string;
  /** The next step for the user, where there is one. */
  readonly hint?: string;
  readonly decoded: Decoded['kind'];
  /** Why the reply could not be used, where `decoded` is `invalid`. */
  readonly error: string;
}

export interface PromptFloor {
  readonly tokens: number;
  /** Of its messages, the system prompt apart. */
  readonly chars: number;
}

/** What was tried against an overflow since a prompt last fitted. */
export interface Relief {
  readonly compactions: number;
  readonly cuts: number;
  /** A subtask ended because its prompt did not fit: its exchanges are still to be left out. */
  readonly isSubtaskOver: boolean;
}

/** What the turns of a run have cost. */
export interface Cost {
  /** US dollars, over the turns whose price is known. */
  readonly usd: number;
  /** Turns that used tokens at a price nobody knows. */
  readonly unknownTurns: number;
}

/** The state of a run: fold(records). Plain data, bounded, JSON all through. */
export interface RunState {
  readonly run: string;
  readonly goal: string;
  readonly goalHash: string;
  readonly startedAt: number;
  readonly version: string;
  readonly seq: number;
  readonly settings: Omit<RecordOf<'settings_changed'>, 'type'> | null;
  /** Where the settings stand in the journal. */
  readonly settingsOffset: number;
  readonly phase: Phase;
  readonly plan: Plan | null;
  readonly active: ActiveSubtask | null;
  readonly round: RoundState | null;
  readonly counters: {
    readonly rounds: number;
    readonly roundsSinceResume: number;
    readonly turns: number;
    /** Attempts of the turn that is under way. */
    readonly attempts: number;
    /** Those that ended in what may pass (`mayPass`); left out where there are none. */
    readonly passing?: number;
    /** Turns in a row that were given up before the one under way; left out where there are none. */
    readonly givenUp?: number;
    readonly actions: number;
    readonly replans: number;
    readonly planTries: number;
    readonly proofTries: number;
    readonly compactions: number;
    readonly nativeFailures: number;
  };
  readonly relief: Relief;
  readonly conversation: readonly MessageRef[];
  /** The main conversation while a branch is open. */
  readonly beside: readonly MessageRef[] | null;
  /** Calls decided on and not yet carried out, from `next` on. */
  readonly pending: {
    readonly calls: readonly ToolCall[];
    readonly next: number;
    /** True for calls read out of text: no call of theirs is on the wire, nor may a result be. */
    readonly areRecovered: boolean;
    /** The finished action the model has not been told of yet. */
    readonly untold: {
      readonly seq: number;
      readonly offset: number;
      readonly callId: string;
      readonly tool: string;
    } | null;
    /** True after a call that ended neither ok nor error: the calls behind it are not run. */
    readonly isHalted: boolean;
  } | null;
  /** A file whose content is asked for apart from the action that named it. */
  readonly wantsContent: {
    readonly file: string;
    readonly tries: number;
    /** What was wrong with the last try. */
    readonly faults: readonly string[];
    /** The old content came back: from now on it is asked for without being shown. */
    readonly isAnew: boolean;
  } | null;
  readonly intents: { readonly [id: string]: OpenIntent };
  readonly files: { readonly [path: string]: KnownFile };
  /** Of this run, the last eight. */
  readonly commands: readonly CommandFact[];
  /** The last three. */
  readonly recentErrors: readonly string[];
  readonly loop: LoopWindow;
  readonly usage: {
    readonly total: Usage;
    readonly last: Usage | null;
    /** Characters of the messages the last turn was asked with, its system prompt apart. */
    readonly lastChars: number;
    /**
     * The last prompt that was read whole, while the next one is an extension of it, by the role of
     * its last message: some templates tell the tools only where that is a user's.
     */
    readonly floor: { readonly [lastRole: string]: PromptFloor };
    /** Left out as long as nothing has cost anything. */
    readonly cost?: Cost;
  };
  readonly lastTurn: LastTurn | null;
  readonly proof: { readonly passed: boolean; readonly text: string } | null;
  /** Why a replan is under way, until the new plan is there. */
  readonly replan: { readonly n: number; readonly why: string } | null;
  readonly undo: { readonly done: readonly string[]; readonly finished: boolean } | null;
  readonly paused: Paused | null;
  readonly ended: { readonly ending: Ending | 'undone'; readonly detail: string } | null;
  /** The text that is the result, for goals whose result is text. */
  readonly answer: StoredText | null;
}
