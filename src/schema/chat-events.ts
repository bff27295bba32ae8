/** What a conversation tells its observer while it works. Everything durable comes as `record`. */
import type { LocatedChat } from './chat-records.ts';
import type { ChatState } from './chat-state.ts';
import type { RunEvent } from './events.ts';

export type SessionEvent =
  | { readonly type: 'record'; readonly record: LocatedChat; readonly state: ChatState }
  /** A request has left; nothing came back yet. `iteration` counts from 1 within a message. */
  | {
      readonly type: 'turn_started';
      readonly purpose: 'action' | 'summary';
      readonly iteration: number;
    }
  | Extract<
      RunEvent,
      {
        readonly type:
          | 'text'
          | 'thinking'
          | 'tool_call_started'
          | 'tool_call_arguments'
          | 'tool_call_ready'
          | 'action_started'
          | 'action_output'
          | 'turn_retry'
          | 'model_switched'
          | 'notice';
      }
    >;

export type SessionEmit = (event: SessionEvent) => void;
