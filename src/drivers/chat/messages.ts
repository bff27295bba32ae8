/** Pure: what a record adds to the conversation, as the model reads it. */

import { messageOf, readBackText } from '../../context-manager/message-of.ts';
import { onOneLine } from '../../lib/text/one-line.ts';
import { shortened } from '../../lib/text/shortened.ts';
import { answerText, choiceText } from '../../llm/tool-modes/choice.ts';
import { partsText } from '../../prompts/message-parts.ts';
import type { MessagePart } from '../../schema/model/message-parts.ts';
import type { Message } from '../../schema/model/messages.ts';
import type { JournalRecord } from '../../schema/records.ts';
import type { MessageRef } from '../../schema/state.ts';

/** Enters the conversation without asking for an answer. */
export const ASIDE = { type: 'message_added', role: 'user', cause: 'aside' } as const;

export const SUMMARY_HEAD = '[Conversation summary]';

/** The message for a record at its live position. Its long strings must have been read back. */
export function chatMessageOf(
  record: JournalRecord,
  ref: Pick<MessageRef, 'seq' | 'role'>,
): Message {
  switch (record.type) {
    case 'person_said':
    case 'message_added':
      return userMessage(readBackText(record.text), record.parts);
    case 'turn_finished':
      if (record.purpose === 'summary')
        return {
          role: 'user',
          content: `${SUMMARY_HEAD}\n${readBackText(record.response.content)}`,
        };
      return record.words === undefined ? messageOf(record, ref) : constrainedReply(record);
    case 'action_finished':
      return resultOf(
        ref.role,
        readBackText(record.result) + partsText(record.parts),
        record.callId,
        record.tool,
      );
    default:
      return messageOf(record, ref);
  }
}

const userMessage = (content: string, parts: readonly MessagePart[] = []): Message => ({
  role: 'user',
  content,
  ...withParts(parts),
});

const withParts = (parts: readonly MessagePart[]): { readonly parts?: readonly MessagePart[] } =>
  parts.length === 0 ? {} : { parts };

function resultOf(role: MessageRef['role'], text: string, callId: string, tool: string): Message {
  return role === 'tool'
    ? { role, content: text, toolCallId: callId, toolName: tool }
    : { role: 'user', content: `Result of ${tool}:\n${text}` };
}

type Turn = Extract<JournalRecord, { type: 'turn_finished' }>;

/** The model's words to the person. If an answer was cut off, or read from text, only its words are the model's own. */
export const spokenWords = ({ words, response }: Turn): string =>
  readBackText(words ?? response.content);

/** A reply that was held to a schema, in the form of any other model. */
function constrainedReply(turn: Turn): Message {
  const { decoded, response } = turn;
  const words = spokenWords(turn);
  if (decoded.kind === 'calls')
    return { role: 'assistant', content: words, toolCalls: decoded.calls };
  return { role: 'assistant', content: words === '' ? readBackText(response.content) : words };
}

/**
 * The same for a model whose answers are held to a schema: its own replies unchanged, all others as it would have
 * written them.
 */
export function constrainedMessageOf(record: JournalRecord, message: Message): Message {
  if (record.type !== 'turn_finished' || record.purpose === 'summary') return plain(message);
  const { words, response, status, decoded } = record;
  const isOwn = words !== undefined && status.kind === 'success';
  const content = isOwn
    ? readBackText(response.content)
    : asConstrained(spokenWords(record), decoded);
  return { role: 'assistant', content };
}

/**
 * Reminds a small model of its task after the result of a look, and of the failure after a failed change: it
 * forgets both.
 */
export function withReminder(result: Message, said: string, hasFailed: boolean): Message {
  const head = shortened(onOneLine(said), LONGEST_REMINDER);
  return head === ''
    ? result
    : { role: 'user', content: `${result.content}\n\n${(hasFailed ? again : next)(head)}` };
}

const LONGEST_REMINDER = 300;

const next = (said: string): string =>
  `The user said: ${said}\nAnswer if that is done, else choose the next action.`;

const again = (said: string): string =>
  `That did not work. The user said: ${said}\nChoose another action, or answer what could not be done.`;

const asConstrained = (words: string, decoded: Turn['decoded']): string =>
  decoded.kind === 'calls'
    ? decoded.calls.map((call) => choiceText(call)).join('\n')
    : answerText(words);

/** The same for a model that writes its calls as text: calls and results of other models become text, too. */
export const asPlainText = (messages: readonly Message[]): readonly Message[] =>
  mergedMessages(messages.map(plain));

/** Some templates refuse two consecutive messages of one side; merged into one they are the same. */
export function mergedMessages(messages: readonly Message[]): readonly Message[] {
  const all: Message[] = [];
  for (const message of messages) {
    const before = all.at(-1);
    if (message.role === 'user' && before?.role === 'user')
      all[all.length - 1] = {
        role: 'user',
        content: `${before.content}\n\n${message.content}`,
        ...withParts([...(before.parts ?? []), ...(message.parts ?? [])]),
      };
    else all.push(message);
  }
  return all;
}

function plain(message: Message): Message {
  if (message.role === 'tool') return resultOf('user', message.content, '', message.toolName);
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message;
  const calls = message.toolCalls.map(
    ({ name, args }) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`,
  );
  return { role: 'assistant', content: [message.content, ...calls].filter(Boolean).join('\n') };
}
