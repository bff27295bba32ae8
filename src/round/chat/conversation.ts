/** An active conversation: everything that a run has, and the messages. */
import type { RecordSwitch } from '../model/failover.ts';
import type { RunPorts } from '../run-ports.ts';
import type { ChatContext, SpokenMessages } from './context.ts';

export interface ConversationPorts extends RunPorts {
  readonly context: ChatContext;
  readonly spoken: SpokenMessages;
  /** Journals the settings of another candidate. */
  readonly reconfigure: RecordSwitch;
  /** Aborts the work on the current message. */
  signal: AbortSignal;
}
