/** The result of a message. */

import { chatInstructionsFor } from '../run/chat/settings.ts';
import type { ActionStatus } from '../schema/actions.ts';
import { NO_USAGE, type Usage } from '../schema/model/turn.ts';
import { addUsage } from '../schema/model/usage.ts';
import type { MessageEnding } from '../schema/records.ts';
import type { ConversationState } from '../schema/state.ts';
import type { LiveSession } from './options.ts';

export interface Sent {
  readonly ending: MessageEnding;
  /** The answer; '' if there is none. */
  readonly reply: string;
  readonly detail: string;
  readonly hint: string;
  /** Turns of the model for this message. */
  readonly iterations: number;
  /** The usage of this message. */
  readonly usage: Usage;
  /** The usage of the last request; its prompt is the context in use. */
  readonly lastCallUsage: Usage;
}

export function sentOf({ context, spoken }: LiveSession): Sent {
  const { conversation, usage, chat } = context.state;
  const { last } = chat;
  if (last === null) throw new Error('The message has not ended.');
  const { seq, ending, detail, hint = '', iterations, usedBefore } = last;
  const answer = conversation.findLast((ref) => ref.role === 'assistant' && ref.seq > seq);
  return {
    ending,
    detail,
    hint,
    iterations,
    reply: answer === undefined ? '' : spoken.wordsAt(answer),
    usage: addUsage(usage.total, usedBefore, -1),
    lastCallUsage: usage.last ?? NO_USAGE,
  };
}

/** The result of a command that the person ran. */
export interface CommandRan {
  readonly status: ActionStatus;
  /** As the model sees it. */
  readonly content: string;
  /** The output of the program; `null`: none was run. */
  readonly printed: string | null;
}

export function ranOf({ context }: LiveSession): CommandRan {
  const ref = context.state.conversation.at(-1);
  const record = ref && context.recordOf(ref);
  if (ref === undefined || record?.type !== 'action_finished')
    throw new Error('No command was run.');
  const { printed } = record.facts;
  const text =
    printed && [printed.stdout, printed.stderr].map((one) => context.textOf(one)).join('');
  return { status: record.status, content: context.textOf(record.result), printed: text ?? null };
}

/** A message of a person, and the reply to it; '' if there is none. */
export interface Exchange {
  readonly said: string;
  readonly reply: string;
}

/** The last exchanges, as far as the conversation still contains them. */
export function lastExchanges({ context, spoken }: LiveSession, most: number): readonly Exchange[] {
  const { conversation } = context.state;
  const refs = conversation.filter(({ cause }) => cause === 'person').slice(-most);
  const texts = context.messagesOf(refs).map(({ content }) => content);
  return refs.map((ref, index) => {
    const until = refs[index + 1]?.seq ?? Infinity;
    const isReply = ({ role, seq }: (typeof conversation)[number]): boolean =>
      role === 'assistant' && seq > ref.seq && seq < until;
    const answer = conversation.findLast(isReply);
    return { said: texts[index] ?? '', reply: answer === undefined ? '' : spoken.wordsAt(answer) };
  });
}

export function personMessages({ context }: LiveSession): readonly string[] {
  const refs = context.state.conversation.filter(({ cause }) => cause === 'person');
  return context.messagesOf(refs).map(({ content }) => content);
}

export function instructionFiles(live: LiveSession): readonly string[] {
  const isNew = live.context.state.chat.messages === 0 && live.request.systemPrompt === null;
  return isNew ? chatInstructionsFor(live).map(({ path }) => path) : [];
}

/** What the model is told about an undo. */
export const undoneText = (files: ConversationState['chat']['putBack']): string =>
  `The user has put these files back to what they were before your last changes: ${files.map(({ path }) => path).join(', ')}. Read a file again before you write it.`;
