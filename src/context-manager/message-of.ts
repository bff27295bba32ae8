import { partsText } from '../prompts/message-parts.ts';
import type { Message, ToolCall } from '../schema/model/messages.ts';
import type { CutMessage, JournalRecord } from '../schema/records.ts';
import type { MessageRef } from '../schema/state.ts';

/** Turns the record at a live position into its message. The record's long strings must have been read back. */
export function messageOf(
  said: JournalRecord,
  { seq, role }: Pick<MessageRef, 'seq' | 'role'>,
): Message {
  switch (said.type) {
    case 'message_added': {
      const { toolCallId = '', toolName = '' } = said;
      return engineMessage(
        role,
        readBackText(said.text) + partsText(said.parts),
        toolCallId,
        toolName,
      );
    }
    case 'action_finished':
      return engineMessage(
        role,
        readBackText(said.result) + partsText(said.parts),
        said.callId,
        said.tool,
      );
    case 'compacted':
      return said.cut
        ? cutMessage(said.cut, seq)
        : { role: 'user', content: readBackText(said.text) };
    case 'message_ended':
      return { role: 'assistant', content: readBackText(said.said) };
    case 'turn_finished':
      return replyOf(said.response);
    default:
      throw new Error(`A ${said.type} record is not a message.`);
  }
}

const engineMessage = (
  role: MessageRef['role'],
  content: string,
  toolCallId: string,
  toolName: string,
): Message =>
  role === 'tool' ? { role, content, toolCallId, toolName } : { role: 'user', content };

function cutMessage(cuts: readonly CutMessage[], seq: number): Message {
  const cut = cuts.find((one) => one.seq === seq);
  if (!cut) throw new Error(`No message ${seq} was cut here.`);
  const { toolCallId, toolName } = cut;
  return toolCallId === undefined
    ? { role: 'user', content: readBackText(cut.text) }
    : { role: 'tool', content: readBackText(cut.text), toolCallId, toolName: toolName ?? '' };
}

function replyOf(response: Extract<JournalRecord, { type: 'turn_finished' }>['response']): Message {
  return {
    role: 'assistant',
    content: readBackText(response.content),
    ...(response.thinking === undefined ? {} : { thinking: readBackText(response.thinking) }),
    ...(response.toolCalls ? { toolCalls: response.toolCalls as readonly ToolCall[] } : {}),
    ...(response.opaque ? { opaque: response.opaque } : {}),
  };
}

export const readBackText = (text: unknown): string => {
  if (typeof text !== 'string') throw new Error('An offloaded text was not read back.');
  return text;
};
