/** Pure: how a message ended, as the protocol names it. */
import type { StopReason } from '@agentclientprotocol/sdk';
import { TardigradeError } from '../../lib/errors.ts';
import type { ConversationState } from '../../schema/state.ts';
import type { MessageOutcome } from '../../sessions/message-result.ts';

/** Throws E_PROVIDER if there is no answer because the model failed. */
export function stopReason(
  { ending, detail, hint }: Pick<MessageOutcome, 'ending' | 'detail' | 'hint'>,
  { lastTurn }: Pick<ConversationState, 'lastTurn'>,
): StopReason {
  if (ending !== 'failed') return REASONS[ending];
  if (lastTurn?.status.kind === 'truncated' || lastTurn?.status.kind === 'context_overflow')
    return 'max_tokens';
  throw new TardigradeError('E_PROVIDER', detail, hint ?? '');
}

const REASONS: { readonly [E in Exclude<MessageOutcome['ending'], 'failed'>]: StopReason } = {
  replied: 'end_turn',
  // The conversation has already said what is missing.
  permission: 'end_turn',
  interrupted: 'cancelled',
  refused: 'refusal',
  limit: 'max_turn_requests',
};
