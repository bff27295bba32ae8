/** What a conversation tells its observer while it works. Everything durable comes as `record`. */
import type { ChatRecord, LocatedChat } from './chat-records.ts';
import type { ChatState } from './chat-state.ts';
import type { RunEvent } from './events.ts';
import type { ModelRequest } from './turn.ts';

export type SessionEvent =
  | {
      readonly type: 'record';
      readonly record: LocatedChat;
      readonly state: ChatState;
      /** The same with its long texts, where these lie in files of their own. */
      readonly whole?: ChatRecord;
    }
  /** Once: the model is chosen and what was left open is settled; messages may be said. */
  | { readonly type: 'begun'; readonly state: ChatState; readonly isResumed: boolean }
  /** A request has left; nothing came back yet. `iteration` counts from 1 within a message. */
  | {
      readonly type: 'turn_started';
      readonly purpose: 'action' | 'summary';
      readonly iteration: number;
      /** No tool is offered with it any more. */
      readonly isFinal: boolean;
      /** What was asked, for who writes it down. */
      readonly request: () => ModelRequest;
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
          | 'permissions'
          | 'notice';
      }
    >;

export type SessionEmit = (event: SessionEvent) => void;
