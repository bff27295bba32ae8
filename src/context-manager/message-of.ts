import type { Message, ToolCall } from '../schema/messages.ts';
import type { JournalRecord } from '../schema/records.ts';

/** What a record contributes to the conversation. Its spilled strings must be in place. */
export function messageOf(record: unknown): Message {
  const said = record as JournalRecord;
  switch (said.type) {
    case 'message_added':
      return said.role === 'tool'
        ? {
            role: 'tool',
            content: textOf(said.text),
            toolCallId: said.toolCallId ?? '',
            toolName: said.toolName ?? '',
          }
        : { role: 'user', content: textOf(said.text) };
    case 'compacted':
      return { role: 'user', content: textOf(said.text) };
    case 'turn_finished':
      return replyOf(said.response);
    default:
      throw new Error(`A ${said.type} record is no message.`);
  }
}

function replyOf(response: Extract<JournalRecord, { type: 'turn_finished' }>['response']): Message {
  return {
    role: 'assistant',
    content: textOf(response.content),
    ...(response.thinking === undefined ? {} : { thinking: textOf(response.thinking) }),
    ...(response.toolCalls ? { toolCalls: response.toolCalls as readonly ToolCall[] } : {}),
    ...(response.opaque ? { opaque: response.opaque } : {}),
  };
}

const textOf = (text: unknown): string => {
  if (typeof text !== 'string') throw new Error('A spilled string was not read back.');
  return text;
};
