/**
 * `native`: the provider's own tool calls, plus calls recovered from plain text: declared names and
 * valid arguments only, never from thinking. All tools stand in every request, so that the prompt
 * keeps its start; what a gate closes is refused when it is called.
 */
import { recoverCalls } from '../text-tool-calls/recover-calls.ts';
import { outputTokens, type ToolModeCodec } from './tool-mode.ts';

export const nativeMode: ToolModeCodec = {
  encode(question, { tools, planSchema, contextWindow }) {
    const maxOutputTokens = outputTokens(question, contextWindow);
    return question.kind === 'plan'
      ? { responseSchema: planSchema, maxOutputTokens }
      : { tools, maxOutputTokens };
  },

  decode(question, reply, context) {
    if (question.kind === 'plan') return { kind: 'text' };
    if (reply.toolCalls && reply.toolCalls.length > 0)
      return { kind: 'calls', calls: [...reply.toolCalls], recovered: false };
    const recovered = recoverCalls(reply.content, context);
    return recovered.length > 0
      ? { kind: 'calls', calls: [...recovered], recovered: true }
      : { kind: 'text' };
  },

  conversation: (messages) => messages,
};
