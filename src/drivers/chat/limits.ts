/** How far the model of a conversation may go for one message. */
import { DEFAULT_MAX_ITERATIONS } from '../../schema/config.ts';
import type { Conversation } from '../../schema/state.ts';

/** `null`: no bound. */
export interface ChatLimits {
  /** Turns. */
  readonly iterations: number;
  readonly callsPerReply: number | null;
  readonly calls: number | null;
  /** Whether the last turn offers no tool any more. */
  readonly closes: boolean;
  /** Turns without a call that did what it was to do: so many are not counted. */
  readonly freeIdle: number;
}

/** What was named, and the rest as a conversation has it. */
export function limitsOf({ chat: { limits } }: Pick<Conversation, 'chat'>): ChatLimits {
  const { iterations = DEFAULT_MAX_ITERATIONS, callsPerReply = null, calls = null } = limits;
  const { closes = false, freeIdle = 0 } = limits;
  return { iterations, callsPerReply, calls, closes, freeIdle };
}
