/** A conversation while it is open: all that a run has, and what is said in it. */
import type { Run } from '../round/run.ts';
import type { ChatContext, SpokenMessages } from './chat-context.ts';
import type { SessionRequest } from './options.ts';

export interface LiveSession extends Run {
  readonly context: ChatContext;
  readonly spoken: SpokenMessages;
  readonly request: SessionRequest;
  /** Of the message that is worked on. */
  signal: AbortSignal;
}
