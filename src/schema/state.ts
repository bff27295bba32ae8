import type { OptionAdvice } from '../lib/errors.ts';
import type { ActionClass, FileChange, GivenUp, ProcessPlace } from './actions.ts';
import type { Background } from './journal/background.ts';
import type { ChildPause } from './journal/children.ts';
import type { Limits } from './journal/limits.ts';
import type { Adoption } from './journal/origin.ts';
import type { PermissionState } from './journal/permissions.ts';
import type { Swap } from './journal/swap.ts';
import type { HealthByPart, OpenWait, Tries } from './journal/waits.ts';
import type { Lost } from './lost.ts';
import type { Brief } from './model/brief.ts';
import type { TurnPurpose, TurnStatus, Usage } from './model/turn.ts';
import type { Plan } from './plan.ts';
import type { Decoded, Ending, RecordOf, RoundOrigin } from './records.ts';
import type { RunningServers } from './servers.ts';
import type { ActiveSubtask } from './state-parts/active-subtask.ts';
import type { ChatState } from './state-parts/chat-state.ts';
import type { AsChild, Child } from './state-parts/children.ts';
import type { Counters } from './state-parts/counters.ts';
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

export type { ActiveSubtask, SubtaskClaim } from './state-parts/active-subtask.ts';
export type { MessageRef } from './state-parts/message-ref.ts';

/** The phase of a run, which decides how a resume continues. */
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
  /** Failed attempts do not count. */
  readonly turns: number;
  /** Actions finished in it: the index of the next one. */
  readonly actions: number;
  /** True once the round's calls are carried out and reported: the next question opens a new round. */
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
  /** Where the action's program is started; left out if it starts none. */
  readonly place?: ProcessPlace;
  /** Ids of the questions whose answers allowed it. */
  readonly answered?: readonly string[];
}

/** Why a run is paused. */
export type Paused = ChildPause & OptionAdvice;

export interface Ended {
  readonly ending: Ending | 'undone';
  readonly detail: string;
  /** What existing files have lost because the model insisted on it; left out if there is nothing. */
  readonly lost?: readonly Lost[];
  /** What a person would have to grant or do; left out if nothing was named. */
  readonly needs?: string;
}

/** The result of the last turn, until the engine has acted on it. */
export interface LastTurn extends OptionAdvice {
  readonly seq: number;
  readonly offset: number;
  readonly turn: number;
  readonly purpose: TurnPurpose;
  readonly target: string | null;
  readonly status: TurnStatus;
  readonly detail: string;
  /** The next step for the user, if there is one. */
  readonly hint?: string;
  readonly decoded: Decoded['kind'];
  /** Why the reply could not be used, if `decoded` is `invalid`. */
  readonly error: string;
  /** True if the wait that followed has reported how the turn ended. */
  readonly isTold?: true;
  /** In a conversation: the turn succeeded, and the reply was empty. */
  readonly isEmpty?: true;
}

/** The state of a conversation; a run has no `chat`. */
export type ConversationState = RunState & { readonly chat: ChatState };

/** The settings of a run since its last `settings_changed`. */
export type RunSettings = Omit<RecordOf<'settings_changed'>, 'type'>;

/** The state of a run or a conversation: fold(records). Plain, bounded JSON data. */
export interface RunState {
  readonly run: string;
  /** The format of new records. */
  readonly format: number;
  readonly goal: string;
  readonly goalHash: string;
  /** For a subtask that is a run of its own. */
  readonly child?: AsChild;
  /** Set if only an answer is wanted; left out for work. */
  readonly wants?: 'answer';
  /** The run's changes stay, however it ends. */
  readonly keep?: true;
  /** Nothing is claimed without a test of the run's own that fails without the work. */
  readonly withTests?: true;
  /** The command by which the person proves the goal. */
  readonly givenProof?: string;
  /** Who plans and who works, as `provider/model`; left out if one does both. */
  readonly models?: { readonly plan: string; readonly work: string };
  /** Only for a conversation. */
  readonly chat?: ChatState;
  readonly startedAt: number;
  readonly version: string;
  /** The MAC of the first record; left out if it has none. */
  readonly mac?: string | undefined;
  /** The last adoption; left out before the first. */
  readonly adopted?: Adoption;
  readonly seq: number;
  /** The process that has the run now; left out for the one that began it, whose token is 1. */
  readonly lease?: { readonly token: number; readonly host: string; readonly worker?: string };
  /** Milliseconds of work since the start, or since a person last resumed the run after a pause. */
  readonly workedMs: number;
  /** The same before that; left out before the first such pause. */
  readonly workedBefore?: number;
  /** When the last record was written, in milliseconds since 1970. */
  readonly lastAt: number;
  readonly settings: RunSettings | null;
  readonly settingsOffset: number;
  /** MCP servers that run according to the journal; left out before the first. */
  readonly servers?: RunningServers;
  /** Programs in the background; left out before the first. */
  readonly background?: Background;
  /** Files that somebody else changed, of which the model does not know yet; left out while there are none. */
  readonly changedMeanwhile?: readonly string[];
  /** The hash, or '', by which the model knew each of those that it was told of. */
  readonly changedTold?: { readonly [path: string]: string };
  readonly phase: Phase;
  /** How the model reads the goal, as far as the goal supports it; left out before it is known. */
  readonly brief?: Brief;
  readonly plan: Plan | null;
  /**
   * Whether a person who wanted to see the plan first has agreed to it; left out if nobody wanted to.
   * `unreported`: they changed it, and the leading model has not been told.
   */
  readonly agreement?: 'due' | 'unreported' | 'given';
  /** Subtasks that are runs of their own, in the order in which they began; left out before the first. */
  readonly children?: readonly Child[];
  /** Checks of the goal and the proof since a child was joined; left out if work continued here. */
  readonly joint?: readonly { readonly passed: boolean; readonly text: string }[];
  readonly active: ActiveSubtask | null;
  readonly round: RoundState | null;
  /** As requested at the start, or later. */
  readonly limits: Limits;
  readonly counters: Counters;
  readonly overflowRecovery: OverflowRecovery;
  /** Consecutive answers cut off before anything was visible: each had twice the room. */
  readonly emptyCuts: number;
  readonly conversation: readonly MessageRef[];
  /** The main conversation while a branch is open. */
  readonly mainConversation: readonly MessageRef[] | null;
  readonly pending: PendingCalls | null;
  /** That the last answer was cut off after its calls, until the model is told; left out otherwise. */
  readonly cutOff?: string;
  readonly guided: GuidedState;
  readonly free: FreeState;
  readonly intents: { readonly [id: string]: OpenIntent };
  readonly files: { readonly [path: string]: KnownFile };
  /** The blob that says where the user's files are kept; `null` before the first command. */
  readonly kept: string | null;
  readonly commandChanges: CommandChanges;
  /** The last twenty results that were shown only in part, by action; left out before the first. */
  readonly outputs?: readonly { readonly id: string; readonly blob: string }[];
  /** Bytes of all results that were ever kept whole; left out before the first. */
  readonly keptBytes?: number;
  /** The first eight commands that failed before the run had changed anything; left out before the first. */
  readonly failedBefore?: {
    readonly [cmd: string]: { readonly exitCode: number; readonly failing: readonly string[] };
  };
  /** The last eight of this run. */
  readonly commands: readonly CommandFact[];
  /** The last three. */
  readonly recentErrors: readonly RecentError[];
  readonly loop: LoopWindow;
  readonly usage: {
    readonly total: Usage;
    readonly last: Usage | null;
    /** Characters of the last request's messages, without the system prompt. */
    readonly lastChars: number;
    /**
     * The last prompt that was read whole, while the next one extends it, by the role of its last
     * message: some templates list the tools only after a user's message.
     */
    readonly floor: { readonly [lastRole: string]: PromptFloor };
    /** Left out as long as nothing has cost anything. */
    readonly cost?: Cost;
    /** By `plan provider/model` and `work provider/model`, if one plans and another works. */
    readonly byModel?: { readonly [name: string]: { readonly total: Usage; readonly cost?: Cost } };
  };
  /** The last run of the existing tests before a plan, and the offset of its check; left out before it. */
  readonly testsBeforePlan?: {
    readonly replans: number;
    readonly offset: number | null;
    /** True if some of them failed. */
    readonly failed: boolean;
  };
  readonly lastTurn: LastTurn | null;
  /** The health of the candidates, and what the current turn has tried. */
  readonly ways: { readonly health: HealthByPart; readonly tries: Tries };
  /** The wait before the next attempt. */
  readonly wait: OpenWait | null;
  /** The model replaced another one and has not answered yet. */
  readonly isUntried: boolean;
  readonly proof: ProofState | null;
  /** The seq of the last outcome that changed the workspace, or may have; 0: none did. */
  readonly changedAt: number;
  /** Set when the run is about to be declared failed: nothing but its end follows. */
  readonly finalProof: FinalProof | null;
  /** True when the proof was run before this run changed anything. */
  readonly isProofSeenBefore: boolean;
  /** Why the run replans, until the new plan exists; `n` is 0 for the first plan, after a plain try. */
  readonly replan: { readonly n: number; readonly why: string } | null;
  /** Why the model gave the goal up; `null`: it has not. */
  readonly givenUp: GivenUp | null;
  /** Refused calls that nothing has made up for since; left out if there are none. */
  readonly refused?: readonly RefusedCall[];
  /** Left out until something was asked, given or taken. */
  readonly permissions?: PermissionState;
  /** Left out before the first. */
  readonly swap?: Swap;
  readonly undo: { readonly done: readonly string[]; readonly finished: boolean } | null;
  /** Left out as long as nobody said anything while it worked. */
  readonly person?: PersonMessages;
  readonly paused: Paused | null;
  readonly ended: Ended | null;
  /** The judgement of what the run would claim; `null` as long as it would claim nothing. */
  readonly verdict: Omit<RecordOf<'verdict_given'>, 'type'> | null;
  /** Somebody skips the trials at the end, until a person resumes the run; left out otherwise. */
  readonly areTrialsSkipped?: true;
  /** The text that is the result, for goals whose result is text. */
  readonly answer: StoredText | null;
  /** The model's last report to the person about its work. */
  readonly report: StoredText | null;
  /** The model's last words, if they say that a subtask is not done; otherwise left out or `null`. */
  readonly failureSaid?: StoredText | null;
}
