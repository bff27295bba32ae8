/** The error for a conversation that this user's agent did not hold. It is not continued. */
import type { Accept, Origin } from '../context-manager/origin.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { ConversationState } from '../schema/state.ts';

/** For opening a journal: throws E_FOREIGN before anything in it changes. */
export const acceptOwnConversation =
  (origin: Origin) =>
  (state: ConversationState, hashOf: Parameters<Accept>[1]): void => {
    if (origin.isOwn(state, hashOf)) return;
    const { name, number } = state.chat;
    throw new TardigradeError(
      'E_FOREIGN',
      `The session ${name ?? number ?? state.run} was not held by your agent here: it came with the folder. It can be exported, but not continued.`,
      'Begin a new session.',
    );
  };
