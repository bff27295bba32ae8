/**
 * `native`: the provider's own tool calls, plus calls recovered from plain text: declared names and
 * valid arguments only, never from thinking. All tools stand in every request, so that the prompt
 * keeps its start; what a gate closes is refused when it is called.
 */
import { readTextCalls } from '../text-tool-calls/recover.ts';
import { roomyOutputTokens, type ToolModeCodec } from './tool-mode.ts';

export const nativeMode: ToolModeCodec = {
  encode(question, { tools, planSchema, contextWindow }) {
    const maxOutputTokens = roomyOutputTokens(question, contextWindow);
    return question.kind === 'plan'
      ? { responseSchema: planSchema, maxOutputTokens }
      : { tools, maxOutputTokens };
  },

  decode(question, reply, { callId: idPrefix, judge }) {
    if (question.kind === 'plan') return { kind: 'text' };
    if (reply.toolCalls && reply.toolCalls.length > 0)
      return { kind: 'calls', calls: [...reply.toolCalls], recovered: false };
    const reading = readTextCalls(reply.content, { judge, idPrefix, cutOff: false });
    switch (reading.kind) {
      case 'calls': {
        const calls = reading.calls.map(({ id, name, args }) => ({ id, name, args }));
        return { kind: 'calls', calls, recovered: true };
      }
      case 'shown_back':
        return { kind: 'invalid', error: reading.error };
      case 'text':
        return { kind: 'text' };
    }
  },

  conversation: (messages) => messages,
};
