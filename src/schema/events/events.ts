import type { OptionName } from '../../lib/errors.ts';
import type { ToolCall } from '../model/messages.ts';
import type { ModelRequest, TurnStatus } from '../model/turn.ts';
import type { JournalRecord, Stamped } from '../records.ts';
import type { Conversation, RunState } from '../state.ts';

/** One way to get an answer. `profile` names credentials and address; it is never a key itself. */
export interface CandidateName {
  readonly provider: string;
  readonly model: string;
  readonly profile: string;
}

export interface PermissionSummary {
  /** Commands that may run because of what lies in the workspace. */
  readonly builds: readonly string[];
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** What becomes of all else: a person is asked, it is refused and noted, or it is allowed. */
  readonly asks: 'person' | 'nobody' | 'yes';
  /** Whether something holds commands to the workspace. */
  readonly isConfined: boolean;
}

/** What a run or a conversation tells its observer while it works. Everything durable comes as `record`. */
export type RunEvent = Recorded<RunState> | Begun<RunState> | Moment;
/** The same of a conversation alone. */
export type SessionEvent = Recorded<Conversation> | Begun<Conversation> | Moment;

export type Emit = (event: RunEvent) => void;
export type SessionEmit = (event: SessionEvent) => void;

interface Recorded<State> {
  readonly type: 'record';
  readonly record: Stamped;
  readonly state: State;
  /** The same with its long texts, where these lie in files of their own. */
  readonly whole?: JournalRecord;
}

/** Once: model and settings are chosen and what was left open is settled. The work begins. */
interface Begun<State> {
  readonly type: 'begun';
  readonly state: State;
  /** What people call the run or the conversation by. */
  readonly number: number | null;
  readonly isResumed: boolean;
}

/** What no record says. */
type Moment =
  /** A request has left; nothing came back yet. */
  | {
      readonly type: 'turn_started';
      readonly purpose: string;
      /** The file that is asked for. */
      readonly target: string | null;
      /** In a conversation: which request of the message it is, counted from 1. */
      readonly iteration?: number;
      /** True where no tool is offered with it any more. */
      readonly isFinal?: boolean;
      /** What was asked, for who writes it down. */
      readonly request?: () => ModelRequest;
    }
  /** How much of the prompt the model has read, where that is told; before its first word. */
  | { readonly type: 'prompt_read'; readonly percent: number }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'tool_call_started'; readonly index: number; readonly name: string }
  | { readonly type: 'tool_call_arguments'; readonly index: number; readonly text: string }
  /** A call as it is going to be carried out. */
  | { readonly type: 'tool_call_ready'; readonly call: ToolCall }
  | { readonly type: 'action_started'; readonly id: string; readonly call: ToolCall }
  | { readonly type: 'action_output'; readonly text: string }
  /** A trial in a copy of the workspace, at the end of a run. */
  | {
      readonly type: 'trial_started';
      /** Counted from 1, of as many as are in sight. */
      readonly n: number;
      readonly of: number;
      /** What the copy differs in. */
      readonly words: string;
    }
  | {
      readonly type: 'turn_retry';
      readonly attempt: number;
      readonly waitMs: number;
      readonly why: string;
      /** How the attempt before ended, and whose it was. */
      readonly status?: TurnStatus['kind'];
      readonly profile?: string;
    }
  /** The next request goes to another profile or model. */
  | {
      readonly type: 'model_switched';
      readonly from: CandidateName;
      readonly to: CandidateName;
      readonly why: string;
      /** Where no `turn_retry` was told of the same. */
      readonly attempt?: number;
      readonly status?: TurnStatus['kind'];
    }
  /** Once, at the start: what may be done unasked. */
  | ({ readonly type: 'permissions' } & PermissionSummary)
  | {
      readonly type: 'notice';
      readonly level: 'info' | 'warning';
      readonly text: string;
      /** What its last sentence is about. */
      readonly option?: OptionName;
      /** The server of tools that it is about. */
      readonly server?: string;
    };

/** Of the events that programs are told, raised when a reader of the version before would be misled. */
export const STREAM_VERSION = 1;
