/** What a record says in the conversation, as the model reads it. Pure. */
import type { ChatRecord } from '../schema/chat-records.ts';
import type { Message } from '../schema/messages.ts';
import type { MessageRef } from '../schema/state.ts';

export const SUMMARY_HEAD = '[Conversation summary]';

/** The message at a live place. The long strings of the record must have been read back. */
export function chatMessageOf(record: ChatRecord, ref: Pick<MessageRef, 'seq' | 'role'>): Message {
  switch (record.type) {
    case 'person_said':
    case 'told':
      return { role: 'user', content: textOf(record.text) };
    case 'turn_finished':
      return record.purpose === 'summary'
        ? { role: 'user', content: `${SUMMARY_HEAD}\n${textOf(record.response.content)}` }
        : replyOf(record);
    case 'action_finished':
      return resultOf(ref.role, textOf(record.result), record.callId, record.tool);
    case 'shortened':
      return shortened(record, ref);
    default:
      throw new Error(`A ${record.type} record is not a message.`);
  }
}

function resultOf(role: MessageRef['role'], text: string, callId: string, tool: string): Message {
  return role === 'tool'
    ? { role, content: text, toolCallId: callId, toolName: tool }
    : { role: 'user', content: `Result of ${tool}:\n${text}` };
}

function shortened(
  { cut }: Extract<ChatRecord, { type: 'shortened' }>,
  { seq, role }: Pick<MessageRef, 'seq' | 'role'>,
): Message {
  const one = cut.find((each) => each.seq === seq);
  if (one === undefined) throw new Error(`No message ${seq} was cut here.`);
  const { toolCallId, toolName = '' } = one;
  const text = textOf(one.text);
  return toolCallId === undefined
    ? { role: 'user', content: text }
    : resultOf(role, text, toolCallId, toolName);
}

/** Of an answer that was cut off, and of one that was read out of text, only the words are its own. */
function replyOf({ response }: Extract<ChatRecord, { type: 'turn_finished' }>): Message {
  const { thinking, toolCalls, opaque } = response;
  return {
    role: 'assistant',
    content: textOf(response.content),
    ...(thinking === undefined ? {} : { thinking: textOf(thinking) }),
    ...(toolCalls === undefined ? {} : { toolCalls }),
    ...(opaque === undefined ? {} : { opaque }),
  };
}

const textOf = (text: unknown): string => {
  if (typeof text !== 'string') throw new Error('An offloaded text was not read back.');
  return text;
};

/**
 * The same for a model that writes its calls as text: calls and results of another model are text, too.
 * Some templates refuse two messages of one side in a row; said as one they are the same.
 */
export function asPlainText(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages.map(plain)) {
    const before = merged.at(-1);
    if (message.role === 'user' && before?.role === 'user')
      merged[merged.length - 1] = {
        role: 'user',
        content: `${before.content}\n\n${message.content}`,
      };
    else merged.push(message);
  }
  return merged;
}

function plain(message: Message): Message {
  if (message.role === 'tool') return resultOf('user', message.content, '', message.toolName);
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message;
  const calls = message.toolCalls.map(
    ({ name, args }) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`,
  );
  return { role: 'assistant', content: [message.content, ...calls].filter(Boolean).join('\n') };
}
