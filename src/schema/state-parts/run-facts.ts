/** What a run knows of files, of its own actions and of its costs: parts of its state. */
import type { ActionStatus, Capability, InvolvedFile, Shortfall } from '../actions.ts';
import type { MessagePart } from '../model/message-parts.ts';
import type { StoredText } from '../text.ts';

export interface KnownFile {
  /** sha256 when a tool last read or wrote it; `null`: it did not exist. */
  readonly hash: string | null;
  readonly written: boolean;
  /** Set while the file has what a tool of the run wrote; writing the same content again does not count. */
  readonly isOwn?: true;
  /**
   * sha256 of the text that a rewrite must not cut short: as the run found the file, or as a later edit
   * left it. `null`: the run created it.
   */
  readonly baseline: string | null;
  /**
   * sha256 of the file as it was before this run first changed it, under whatever name; `null`: there was
   * none. Left out as long as no tool of the run wrote it.
   */
  readonly original?: string | null;
  /** sha256 of the last content that was withheld, until the file is written. */
  readonly rejected: string | null;
  readonly problems: readonly string[];
  /** Importable names with their signatures: `add(a, b)`. */
  readonly defines: readonly string[];
  /** What the program asks its user. */
  readonly prompts: readonly string[];
}

/** A file that a command changed, made or removed; hashes as in `FileChange`. */
export interface CommandChange {
  /** The content before the first command that changed it. */
  readonly before: string | null;
  /** The content that a command, or a tool after it, left. */
  readonly after: string | null;
  /** True if a crash hid who changed it. */
  readonly isUnseen: boolean;
  /** The seq of the record of the last such command. */
  readonly seq: number;
  /** Set if somebody allowed every command that changed the file. */
  readonly isAllowed?: true;
}

/** What commands did to files. */
export interface CommandChanges {
  readonly files: { readonly [path: string]: CommandChange };
  /** What last happened to each file without a kept content, by path. */
  readonly uncovered: { readonly [path: string]: 'changed' | 'made' | 'removed' };
  /** Files among these whose every change somebody allowed; left out if there are none. */
  readonly allowed?: readonly string[];
  /** Files that are as before again, and the sha256 of what was there instead (`null`: nothing). */
  readonly putBack?: { readonly [path: string]: string | null };
  /** How many files are no longer in these lists: the state of a run is bounded. */
  readonly more: number;
}

export interface CommandFact {
  readonly cmd: string;
  /** `cmd` also names a folder or the background, so it cannot be run itself; left out otherwise. */
  readonly isAsTyped?: false;
  readonly stdin: string | null;
  /** Subtask in which it ran. */
  readonly subtask: string;
  readonly status: ActionStatus;
  readonly exitCode: number | null;
  /** First 120 characters of its output. */
  readonly head: string;
  /** The offset of its whole output in the journal. */
  readonly offset: number;
  /** The program's question, if it ended for lack of input. */
  readonly asksForInput: string | null;
  /** `none` if a test runner found no test; left out otherwise. */
  readonly testsRan?: 'none';
  /** The command only failed to find something, which says nothing about the work; left out otherwise. */
  readonly onlyLooked?: true;
  /** The command failed, and no worse than before the run had changed anything; left out otherwise. */
  readonly asBefore?: true;
  /** For a checker first run after the run's first change: what fails now; left out otherwise. */
  readonly failingNow?: readonly string[];
  /** The command's program is missing or could not be started; left out otherwise. */
  readonly wasStarted?: false;
  /** For a check that succeeded but did not pass; left out otherwise. */
  readonly shortfall?: Shortfall;
  /** The output that was expected; left out if none was. */
  readonly prints?: string;
  /** Files that may contain the fault, most likely first; left out if nobody looked. */
  readonly involved?: readonly InvolvedFile[];
}

/** A call or a check that failed. */
export interface RecentError {
  readonly text: string;
  /** The subject of the failure: a later success with the same subject resolves it. */
  readonly about: string;
  /** The seq of its record. */
  readonly seq: number;
  /** Set once its subject, or the subtask in which it happened, succeeded. */
  readonly isMended?: true;
}

/** Takes the place of the subtask when the existing tests run before a plan. */
export const BEFORE_A_PLAN = 'look';

/** A call in the form in which a person or a model recognises it. */
export interface LoopCall {
  readonly tool: string;
  /** The file, folder or command of the call; '' if it has none. */
  readonly target: string;
  /** First 120 characters of its arguments. */
  readonly args: string;
}

export interface LoopEntry extends LoopCall {
  readonly signature: string;
  /** Hash of the result without its numbers, times, paths and hex. */
  readonly result: string;
  /**
   * The resulting state of the workspace: hashes of the written files by path, or under '' one hash of
   * everything if the files are unknown. `null`: it changed nothing.
   */
  readonly reached: { readonly [path: string]: string | null } | null;
  /** True for tools that read or change files. */
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
  /** Calls refused since the last one that did something else; left out if there are none. */
  readonly insisted?: number;
}

export interface ProofRun {
  readonly seq: number;
  readonly cmd: string;
  readonly passed: boolean;
  /** Whether the run had changed anything yet. */
  readonly when: 'before' | 'after';
}

/** What the proof showed last, and its runs so far. */
export interface ProofState {
  readonly passed: boolean;
  /** For a proof that did not pass: the reason, if known. */
  readonly red?: 'failing' | 'absent' | 'unknown';
  readonly text: string;
  /** Oldest first, the last twenty. */
  readonly runs: readonly ProofRun[];
}

/** The proof, run once more before the run is declared failed. */
export interface FinalProof {
  /** The reason for failing. */
  readonly why: string;
  readonly passed: boolean;
}

export interface PromptFloor {
  readonly tokens: number;
  /** Characters of its messages, without the system prompt. */
  readonly chars: number;
}

/** Attempts to fix an overflow since a prompt last fitted. */
export interface OverflowRecovery {
  readonly compactions: number;
  readonly cuts: number;
  /** A subtask ended because its prompt did not fit: its exchanges must still be left out. */
  readonly isSubtaskOver: boolean;
  /** Failed summaries since the person last spoke, unless a later one succeeded; left out: none. */
  readonly failedSummaries?: number;
}

/** What the turns of a run have cost. */
export interface Cost {
  /** US dollars, over the turns whose cost is known. */
  readonly usd: number;
  /** Turns that used tokens at an unknown price, or broke off before their tokens were counted. */
  readonly unknownTurns: number;
}

/** How far a leading model has looked around before a plan. */
export interface Survey {
  /** True once the model was told the goal. */
  readonly isBegun: boolean;
  /** The model's replies. */
  readonly turns: number;
  /** The model's replies until the plan was demanded; `null`: it was not demanded yet. */
  readonly demandedAt: number | null;
  /** Replies without a call. */
  readonly texts: number;
  /** Consecutive unreadable replies. */
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

/** A finished action of the active subtask, in short form. */
export interface ActionSummary {
  readonly id: string;
  readonly tool: string;
  readonly does?: Capability;
  /** The file or command of the action. */
  readonly target: string;
  readonly status: ActionStatus;
  /** First 120 characters of its result. */
  readonly head: string;
}

/** What somebody said to the run while it worked. */
export interface PersonMessages {
  /** Messages that the model has not been told, oldest first. */
  readonly waiting: readonly {
    readonly seq: number;
    readonly offset: number;
    readonly text: StoredText;
    readonly parts?: readonly MessagePart[];
    /** A turn or an action has ended since: the next question contains it. */
    readonly isDue: boolean;
  }[];
  /** The beginnings of the last few that the model was told. */
  readonly told: readonly string[];
}
