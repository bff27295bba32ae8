/** What a conversation tells its observer while it works. Everything durable comes as `record`. */
import type { LocatedChat } from './chat-records.ts';
import type { ChatState } from './chat-state.ts';
import type { RunEvent } from './events.ts';
import type { ToolCall } from './messages.ts';

export type SessionEvent =
  | { readonly type: 'record'; readonly record: LocatedChat; readonly state: ChatState }
  /** A request has left; nothing came back yet. `iteration` counts from 1 within a message. */
  | {
      readonly type: 'turn_started';
      readonly purpose: 'action' | 'summary';
      readonly iteration: number;
    }
  /** The arguments of a call as they come: not yet whole, and not yet judged. */
  | { readonly type: 'call_started'; readonly name: string }
  | { readonly type: 'call_arguments'; readonly text: string }
  /** One call is about to be carried out, or refused. */
  | { readonly type: 'call'; readonly call: ToolCall }
  | Extract<
      RunEvent,
      {
        readonly type:
          | 'text'
          | 'thinking'
          | 'action_output'
          | 'turn_retry'
          | 'model_switched'
          | 'notice';
      }
    >;

export type SessionEmit = (event: SessionEvent) => void;
