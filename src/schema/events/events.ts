import type { OptionName } from '../../lib/errors.ts';
import type { ToolCall } from '../model/messages.ts';
import type { ModelRequest, TurnStatus } from '../model/turn.ts';
import type { JournalRecord, Stamped } from '../records.ts';
import type { ConversationState, RunState } from '../state.ts';

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
  /** What happens to every other call: a person is asked, it is refused and noted, or it is allowed. */
  readonly asks: 'person' | 'nobody' | 'yes';
  /** Whether commands are confined to the workspace. */
  readonly isConfined: boolean;
}

/** The events that a run or a conversation sends its observer. Everything durable comes as `record`. */
export type RunEvent = Recorded<RunState> | Begun<RunState> | Moment;
/** The same for conversations only. */
export type SessionEvent = Recorded<ConversationState> | Begun<ConversationState> | Moment;

export type Emit = (event: RunEvent) => void;
export type SessionEmit = (event: SessionEvent) => void;

interface Recorded<State> {
  readonly type: 'record';
  readonly record: Stamped;
  readonly state: State;
  /** The record with the long texts that the stored one keeps in blobs. */
  readonly whole?: JournalRecord;
}

/** Sent once, when the work begins: the model is chosen, and what was left open is settled. */
interface Begun<State> {
  readonly type: 'begun';
  readonly state: State;
  /** The number that people use for it. */
  readonly number: number | null;
  readonly isResumed: boolean;
}

/** What no record contains. */
type Moment =
  /** A request was sent; nothing has come back yet. */
  | {
      readonly type: 'turn_started';
      readonly purpose: string;
      /** The file whose content is asked for. */
      readonly target: string | null;
      /** In a conversation: which request of the message it is, counted from 1. */
      readonly iteration?: number;
      /** True if the request offers no tools any more. */
      readonly isFinal?: boolean;
      /** The request itself, for logs. */
      readonly request?: () => ModelRequest;
    }
  /** How much of the prompt the model has read, if it is reported; before the first word. */
  | { readonly type: 'prompt_read'; readonly percent: number }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'tool_call_started'; readonly index: number; readonly name: string }
  | { readonly type: 'tool_call_arguments'; readonly index: number; readonly text: string }
  /** A call as it will be carried out. */
  | { readonly type: 'tool_call_ready'; readonly call: ToolCall }
  | { readonly type: 'action_started'; readonly id: string; readonly call: ToolCall }
  | { readonly type: 'action_output'; readonly text: string }
  /** A trial in a copy of the workspace, at the end of a run. */
  | {
      readonly type: 'trial_started';
      /** Counted from 1; `of` counts those planned so far. */
      readonly n: number;
      readonly of: number;
      /** How the copy of a trial differs from the workspace. */
      readonly words: string;
    }
  | {
      readonly type: 'turn_retry';
      readonly attempt: number;
      readonly waitMs: number;
      readonly why: string;
      /** How the previous attempt ended, and its profile. */
      readonly status?: TurnStatus['kind'];
      readonly profile?: string;
    }
  /** The next request goes to another profile or model. */
  | {
      readonly type: 'model_switched';
      readonly from: CandidateName;
      readonly to: CandidateName;
      readonly why: string;
      /** Left out if a `turn_retry` has reported it. */
      readonly attempt?: number;
      readonly status?: TurnStatus['kind'];
    }
  /** Sent once, at the start: what may be done without asking. */
  | ({ readonly type: 'permissions' } & PermissionSummary)
  | {
      readonly type: 'notice';
      readonly level: 'info' | 'warning';
      readonly text: string;
      /** The option that the last sentence of the notice is about. */
      readonly option?: OptionName;
      /** The MCP server that the notice is about. */
      readonly server?: string;
    };

/** The version of the events for programs; raised when a change would mislead older readers. */
export const STREAM_VERSION = 1;
