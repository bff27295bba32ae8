/** What a run knows of the world, of its own doing and of what it cost: parts of its state. */
import type { ActionStatus, Capability, InvolvedFile, Shortfall } from '../actions.ts';
import type { MessagePart } from '../model/message-parts.ts';
import type { StoredText } from '../text.ts';

export interface KnownFile {
  /** sha256 when a tool last read or wrote it; `null`: it did not exist. */
  readonly hash: string | null;
  readonly written: boolean;
  /** Set while the file holds what a tool of the run made of it; writing what was there is no change. */
  readonly isOwn?: true;
  /**
   * sha256 of the text that no whole new content may cut short: as the run found the file, or as an
   * edit left it since. `null`: the run made it, so nothing of it was anybody's.
   */
  readonly baseline: string | null;
  /**
   * sha256 of the file as it was before this run first changed it, under whatever name; `null`: there was
   * none. Left out as long as no tool of the run wrote it.
   */
  readonly original?: string | null;
  /** sha256 of the content that was held back last, until the file is written. */
  readonly rejected: string | null;
  readonly problems: readonly string[];
  /** Importable names with their signatures: `add(a, b)`. */
  readonly defines: readonly string[];
  /** What the program asks its user. */
  readonly prompts: readonly string[];
}

/** A file that a command changed, made or removed; hashes as in `FileChange`. */
export interface CommandChange {
  /** Before the first command that did. */
  readonly before: string | null;
  /** As a command, or a tool after it, left the file. */
  readonly after: string | null;
  /** True where a crash hid who did it. */
  readonly isUnseen: boolean;
  /** Of the record of the last command that did. */
  readonly seq: number;
  /** Set where every command that changed it was allowed by somebody. */
  readonly isAllowed?: true;
}

/** What commands did to files. */
export interface CommandChanges {
  readonly files: { readonly [path: string]: CommandChange };
  /** Those of which nothing is kept, by name: what became of them last. */
  readonly uncovered: { readonly [path: string]: 'changed' | 'made' | 'removed' };
  /** Those of them of which somebody allowed all that changed them; left out where there are none. */
  readonly allowed?: readonly string[];
  /** Files that are not in these lists any more: the state of a run is bounded. */
  readonly more: number;
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
  /** It failed to show something, which says nothing of the work; left out otherwise. */
  readonly onlyLooked?: true;
  /** It failed, and no worse than before the run had changed anything; left out otherwise. */
  readonly asBefore?: true;
  /** Of a checker that nobody ran before the run changed something: what fails now; left out otherwise. */
  readonly failingNow?: readonly string[];
  /** Its program is not here, or it may not be run; left out otherwise. */
  readonly wasStarted?: false;
  /** Of a check that ended well and did not pass; left out otherwise. */
  readonly shortfall?: Shortfall;
  /** What it had to print; left out where nothing was wanted. */
  readonly prints?: string;
  /** The files a failure may lie in, the most telling first; left out where nobody looked. */
  readonly involved?: readonly InvolvedFile[];
}

/** A call or a check that did not end well. */
export interface RecentError {
  readonly text: string;
  /** What it is about: what ends well with the same word has mended it. */
  readonly about: string;
  /** Of its record. */
  readonly seq: number;
  /** Set once that ended well, or the subtask it happened in did. */
  readonly isMended?: true;
}

/** Stands for the subtask in a run of the tests that are there, before a plan. */
export const BEFORE_A_PLAN = 'look';

/** A call as a person or a model knows it again. */
export interface LoopCall {
  readonly tool: string;
  /** Its file, folder or command; '' where it has none. */
  readonly target: string;
  /** First 120 characters of its arguments. */
  readonly args: string;
}

export interface LoopEntry extends LoopCall {
  readonly signature: string;
  /** Hash of the result with numbers, times, paths and hex taken out. */
  readonly result: string;
  /**
   * What the workspace holds since: hashes by path of what was written, or under '' one word for
   * all of it where nobody named the files. `null`: it changed nothing.
   */
  readonly reached: { readonly [path: string]: string | null } | null;
  /** True for tools that look at or change files. */
  readonly fileTool: boolean;
}

export type LoopRule = 'repeated' | 'alternating' | 'spam';

/** A call that is not run again until the workspace reaches a new state. */
export interface LoopBlock extends LoopCall {
  readonly rule: LoopRule;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly round: number;
}

export interface LoopWindow {
  /** The last ten actions. */
  readonly entries: readonly LoopEntry[];
  readonly blocked: { readonly [signature: string]: LoopBlock };
  /** Blocks that a new state of the workspace lifted, the last 32. */
  readonly lifted: readonly LoopBlock[];
  /** Calls that were refused since the last one that did something else; left out where there are none. */
  readonly insisted?: number;
}

/** One time the proof was run. */
export interface ProofRun {
  readonly seq: number;
  readonly cmd: string;
  readonly passed: boolean;
  /** Whether the run had changed anything yet. */
  readonly when: 'before' | 'after';
}

/** What the proof showed last, and every time before. */
export interface ProofState {
  readonly passed: boolean;
  /** Of one that did not pass: why that is so, where that is known. */
  readonly red?: 'failing' | 'absent' | 'unknown';
  readonly text: string;
  /** Oldest first, the last twenty. */
  readonly runs: readonly ProofRun[];
}

/** The proof, run once more before the run is called failed. */
export interface FinalProof {
  /** Why it would be. */
  readonly why: string;
  readonly passed: boolean;
}

export interface PromptFloor {
  readonly tokens: number;
  /** Of its messages, the system prompt apart. */
  readonly chars: number;
}

/** What was tried against an overflow since a prompt last fitted. */
export interface OverflowRecovery {
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

/** How far the model has looked before a plan, where it leads. */
export interface Survey {
  /** True once the model was told what it is about. */
  readonly isBegun: boolean;
  /** Its replies. */
  readonly turns: number;
  /** Those of them before the plan was demanded; `null`: it was not yet. */
  readonly demandedAt: number | null;
  /** Replies without a call. */
  readonly texts: number;
  /** Replies that could not be read, one after the other. */
  readonly invalidReplies: number;
  /** Plans whose form was wrong. */
  readonly unreadPlans: number;
}

export const NO_SURVEY: Survey = {
  isBegun: false,
  turns: 0,
  demandedAt: null,
  texts: 0,
  invalidReplies: 0,
  unreadPlans: 0,
};

/** A finished action of the active subtask, short. */
export interface ActionSummary {
  readonly id: string;
  readonly tool: string;
  readonly does?: Capability;
  /** Its file or command. */
  readonly target: string;
  readonly status: ActionStatus;
  /** First 120 characters of its result. */
  readonly head: string;
}

/** What somebody said to the run while it worked. */
export interface PersonMessages {
  /** Not told to the model yet, the oldest first. */
  readonly waiting: readonly {
    readonly seq: number;
    readonly offset: number;
    readonly text: StoredText;
    readonly parts?: readonly MessagePart[];
    /** A turn or an action has ended since: the next question brings it. */
    readonly isDue: boolean;
  }[];
  /** What the model was told, the beginnings of the last few. */
  readonly told: readonly string[];
}
