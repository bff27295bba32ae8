/** A conversation while it is worked on: all that a run has, and what is said in it. */
import type { RecordSwitch } from '../model/failover.ts';
import type { Run } from '../run.ts';
import type { ChatContext, SpokenMessages } from './context.ts';

export interface Conversation extends Run {
  readonly context: ChatContext;
  readonly spoken: SpokenMessages;
  /** Journals the settings of another way to a model. */
  readonly reconfigure: RecordSwitch;
  /** Of the message that is worked on. */
  signal: AbortSignal;
}
