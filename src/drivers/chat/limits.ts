/** How far the model of a conversation may go for one message. */
import { DEFAULT_MAX_ITERATIONS } from '../../schema/config.ts';
import type { Conversation } from '../../schema/state.ts';

/** `null`: no limit. */
export interface ChatLimits {
  /** Turns. */
  readonly iterations: number;
  readonly callsPerReply: number | null;
  readonly calls: number | null;
  /** Whether the last turn offers no tools. */
  readonly closes: boolean;
  /** The number of turns without a successful call that are not counted. */
  readonly freeIdle: number;
}

/** The given limits, with the defaults of a conversation for the rest. */
export function limitsOf({ chat: { limits } }: Pick<Conversation, 'chat'>): ChatLimits {
  const { iterations = DEFAULT_MAX_ITERATIONS, callsPerReply = null, calls = null } = limits;
  const { closes = false, freeIdle = 0 } = limits;
  return { iterations, callsPerReply, calls, closes, freeIdle };
}
