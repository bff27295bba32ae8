import type { Message, ToolCall } from '../schema/messages.ts';
import type { CutMessage, JournalRecord } from '../schema/records.ts';

/**
 * What a record contributes to the conversation as its message `seq`. Its spilled strings must be
 * in place.
 */
export function messageOf(record: unknown, seq: number): Message {
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
      return said.cut ? cutMessage(said.cut, seq) : { role: 'user', content: textOf(said.text) };
    case 'turn_finished':
      return replyOf(said.response);
    default:
      throw new Error(`A ${said.type} record is no message.`);
  }
}

function cutMessage(cuts: readonly CutMessage[], seq: number): Message {
  const cut = cuts.find((one) => one.seq === seq);
  if (!cut) throw new Error(`No message ${seq} was cut here.`);
  const { toolCallId, toolName } = cut;
  return toolCallId === undefined
    ? { role: 'user', content: textOf(cut.text) }
    : { role: 'tool', content: textOf(cut.text), toolCallId, toolName: toolName ?? '' };
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
