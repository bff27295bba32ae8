import type { OptionAdvice } from '../lib/errors.ts';
import type { ActionClass, FileChange, GivenUp, ProcessPlace } from './actions.ts';
import type { Background } from './journal/background.ts';
import type { Limits } from './journal/limits.ts';
import type { Adoption } from './journal/origin.ts';
import type { Permissions } from './journal/permissions.ts';
import type { Swap } from './journal/swap.ts';
import type { Health, OpenWait, Tries } from './journal/waits.ts';
import type { Lost } from './lost.ts';
import type { Brief } from './model/brief.ts';
import type { TurnPurpose, TurnStatus, Usage } from './model/turn.ts';
import type { Plan } from './plan.ts';
import type { Decoded, Ending, PauseReason, RecordOf, RoundOrigin } from './records.ts';
import type { RunningServers } from './servers.ts';
import type { ActiveSubtask } from './state-parts/active-subtask.ts';
import type { ChatState } from './state-parts/chat-state.ts';
import type { AsChild, Child } from './state-parts/children.ts';
import type { FreeState } from './state-parts/free-state.ts';
import type { GuidedState } from './state-parts/guided-state.ts';
import type { MessageRef } from './state-parts/message-ref.ts';
import type { PendingCalls } from './state-parts/pending.ts';
import type { RefusedCall } from './state-parts/refused.ts';
import type {
  CommandChanges,
  CommandFact,
  Cost,
  FinalProof,
  KnownFile,
  LoopWindow,
  OverflowRecovery,
  PersonMessages,
  PromptFloor,
  ProofState,
  RecentError,
} from './state-parts/run-facts.ts';
import type { StoredText } from './text.ts';

export type { ActiveSubtask, Claim } from './state-parts/active-subtask.ts';
export type { MessageRef } from './state-parts/message-ref.ts';

/** Where a run stands: the switch every resume goes through. */
export type Phase =
  | { readonly name: 'planning' }
  | { readonly name: 'deciding' }
  | { readonly name: 'awaiting_content'; readonly file: string }
  | { readonly name: 'executing'; readonly index: number }
  | { readonly name: 'checking' }
  | { readonly name: 'replanning' }
  | { readonly name: 'ended' };

export interface RoundState {
  readonly n: number;
  readonly subtask: string;
  readonly origin: RoundOrigin;
  /** Attempts that failed are none. */
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
  /** Where its program is started; left out where it starts none. */
  readonly place?: ProcessPlace;
}

/** Why a run stands still. */
export interface Paused extends OptionAdvice {
  readonly why: PauseReason;
  readonly detail: string;
  /** The next step for the user, where there is one besides going on. */
  readonly hint?: string;
  /** What the last turn ended in, where that is why. */
  readonly status?: TurnStatus;
}

export interface Ended {
  readonly ending: Ending | 'undone';
  readonly detail: string;
  /** What given files have lost because the model insisted on it; left out where there is none. */
  readonly lost?: readonly Lost[];
  /** What a person would have to give or do; left out where nothing was named. */
  readonly needs?: string;
}

/** What the last turn brought, until the engine has acted on it. */
export interface LastTurn extends OptionAdvice {
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
  /** What it ended in was told with the wait that followed. */
  readonly isTold?: true;
  /** In a conversation: all went well, and nothing was said. */
  readonly isEmpty?: true;
}

/** A conversation, as it is told from a run. */
export type Conversation = RunState & { readonly chat: ChatState };

/** What holds for a run since its last `settings_changed`. */
export type RunSettings = Omit<RecordOf<'settings_changed'>, 'type'>;

/** The state of a run or a conversation: fold(records). Plain data, bounded, JSON all through. */
export interface RunState {
  readonly run: string;
  /** Of the records from the last one on. */
  readonly format: number;
  readonly goal: string;
  readonly goalHash: string;
  /** Of a subtask that is a run of its own. */
  readonly child?: AsChild;
  /** All that was asked for; left out where it is work. */
  readonly wants?: 'answer';
  /** What it changes stays, however it ends. */
  readonly keep?: true;
  /** Nothing is claimed without a test of its own that fails without the work. */
  readonly withTests?: true;
  /** Who plans and who works, as `provider/model`; left out where one does both. */
  readonly models?: { readonly plan: string; readonly work: string };
  /** Of a conversation alone. */
  readonly chat?: ChatState;
  readonly startedAt: number;
  readonly version: string;
  /** Of the first record; left out where it has none. */
  readonly mac?: string | undefined;
  /** The last one; left out before the first. */
  readonly adopted?: Adoption;
  readonly seq: number;
  /** The process that has the run now; left out for the one that began it, whose token is 1. */
  readonly lease?: { readonly token: number; readonly host: string; readonly worker?: string };
  /** Milliseconds of work since the start, or since a person took the run up after a pause. */
  readonly workedMs: number;
  /** The same before that; left out before the first such pause. */
  readonly workedBefore?: number;
  /** When the last record was written, in milliseconds since 1970. */
  readonly lastAt: number;
  readonly settings: RunSettings | null;
  /** Where the settings stand in the journal. */
  readonly settingsOffset: number;
  /** Servers of tools that run, by the journal; left out before the first. */
  readonly servers?: RunningServers;
  /** Programs in the background; left out before the first. */
  readonly background?: Background;
  readonly phase: Phase;
  /** How the model reads the goal, as far as the goal carries it; left out before it said so. */
  readonly brief?: Brief;
  readonly plan: Plan | null;
  /**
   * Whether a person who wanted to see the plan first has agreed to it; left out where nobody wanted to. `unreported`:
   * they changed it, and the model that leads has not heard of it.
   */
  readonly agreement?: 'due' | 'unreported' | 'given';
  /** Its subtasks that are runs of their own, in the order in which they began; left out before the first. */
  readonly children?: readonly Child[];
  /** What the goal and its proof were held against since one of them was joined; left out where work went on here. */
  readonly joint?: readonly { readonly passed: boolean; readonly text: string }[];
  readonly active: ActiveSubtask | null;
  readonly round: RoundState | null;
  /** As they were asked for at the start, or since. */
  readonly limits: Limits;
  readonly counters: {
    readonly rounds: number;
    /** In which the model was asked, since a person took the run up. */
    readonly roundsSinceResume: number;
    /** Since the model was last asked; left out where there are none. */
    readonly idleRounds?: number;
    readonly turns: number;
    /** Attempts of the turn that is under way. */
    readonly attempts: number;
    /** Those that ended in a transient failure; left out where there are none. */
    readonly transientFailures?: number;
    /** Turns in a row that were abandoned before the one under way; left out where there are none. */
    readonly abandonedTurns?: number;
    readonly actions: number;
    /** Commands that were run, for the model or as a check. */
    readonly commands: number;
    readonly replans: number;
    readonly planTries: number;
    readonly proofTries: number;
    readonly compactions: number;
    readonly nativeFailures: number;
  };
  readonly overflowRecovery: OverflowRecovery;
  /** Answers in a row that were cut off before anything could be seen: each had twice the room. */
  readonly emptyCuts: number;
  readonly conversation: readonly MessageRef[];
  /** The main conversation while a branch is open. */
  readonly mainConversation: readonly MessageRef[] | null;
  readonly pending: PendingCalls | null;
  /** That the last answer was cut off behind calls, until the model is told; left out otherwise. */
  readonly cutOff?: string;
  readonly guided: GuidedState;
  readonly free: FreeState;
  readonly intents: { readonly [id: string]: OpenIntent };
  readonly files: { readonly [path: string]: KnownFile };
  /** The blob that says where the user's files are kept; `null` before the first command. */
  readonly kept: string | null;
  readonly commandChanges: CommandChanges;
  /** Results of which only a part was shown, the last twenty, by action; left out before the first. */
  readonly outputs?: readonly { readonly id: string; readonly blob: string }[];
  /** Bytes of all results that were ever kept whole; left out before the first. */
  readonly keptBytes?: number;
  /** Commands that failed before the run had changed anything, the first eight, by their line; left out before the first. */
  readonly failedBefore?: {
    readonly [cmd: string]: { readonly exitCode: number; readonly failing: readonly string[] };
  };
  /** Of this run, the last eight. */
  readonly commands: readonly CommandFact[];
  /** The last three. */
  readonly recentErrors: readonly RecentError[];
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
    /** By `plan provider/model` and `work provider/model`, where one plans and another works. */
    readonly byModel?: { readonly [name: string]: { readonly total: Usage; readonly cost?: Cost } };
  };
  /** The last run of the existing tests before a plan, and where its check stands; left out before it. */
  readonly testsBeforePlan?: {
    readonly replans: number;
    readonly offset: number | null;
    /** True where some of them failed. */
    readonly failed: boolean;
  };
  readonly lastTurn: LastTurn | null;
  /** How the ways to a model are doing, and what the turn under way has tried. */
  readonly ways: { readonly health: Health; readonly tries: Tries };
  /** Until the next attempt. */
  readonly wait: OpenWait | null;
  /** The model took the place of another one, and has not answered yet. */
  readonly isUntried: boolean;
  readonly proof: ProofState | null;
  /** The seq of the last outcome that changed the workspace, or may have; 0: none did. */
  readonly changedAt: number;
  /** Set when the run is about to be called failed: nothing but its end follows. */
  readonly finalProof: FinalProof | null;
  /** True when the proof was run before this run changed anything. */
  readonly isProofSeenBefore: boolean;
  /** Why a replan is under way, until the new plan is there; 0 stands for the first plan, behind a plain try. */
  readonly replan: { readonly n: number; readonly why: string } | null;
  /** Why the model gave the goal up; `null`: it has not. */
  readonly givenUp: GivenUp | null;
  /** Calls that were refused and that nothing has made good since; left out where there are none. */
  readonly refused?: readonly RefusedCall[];
  /** Left out until something was asked, given or taken. */
  readonly permissions?: Permissions;
  /** Left out before the first. */
  readonly swap?: Swap;
  readonly undo: { readonly done: readonly string[]; readonly finished: boolean } | null;
  /** Left out as long as nobody said anything while it worked. */
  readonly person?: PersonMessages;
  readonly paused: Paused | null;
  readonly ended: Ended | null;
  /** Whether what would be claimed is known; `null` as long as nothing would be. */
  readonly verdict: Omit<RecordOf<'verdict_given'>, 'type'> | null;
  /** Somebody skips the trials at the end, until a person goes on with the run; left out otherwise. */
  readonly areTrialsSkipped?: true;
  /** The text that is the result, for goals whose result is text. */
  readonly answer: StoredText | null;
  /** What the model told the person last of what it did. */
  readonly report: StoredText | null;
  /** What it said last, where that was that a subtask is not done; left out or `null`: nothing of the kind. */
  readonly failureSaid?: StoredText | null;
}
