/**
 * `native`: the provider's own tool calls, plus calls recovered from plain text: declared names and
 * valid arguments only, never from thinking. All tools stand in every request, so that the prompt
 * keeps its start; what a gate closes is refused when it is called.
 */
import { recoverToolCalls } from '../text-tool-calls/recover.ts';
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
    const { callId: idPrefix, accepts } = context;
    const found = recoverToolCalls(reply.content, { accepts, idPrefix, cutOff: false });
    if (found.length === 0) return { kind: 'text' };
    const guessed = found.find((call) => call.repaired && !HARMLESS.has(call.name));
    if (guessed) return { kind: 'invalid', error: notReadable(guessed.name) };
    const calls = found.map(({ id, name, args }) => ({ id, name, args }));
    return { kind: 'calls', calls, recovered: true };
  },

  conversation: (messages) => messages,
};

/** Tools whose call may be mended by guessing: they only look. */
const HARMLESS = new Set(['list_dir', 'read_file']);

const notReadable = (name: string): string =>
  `The call of ${name} was no valid JSON and was not carried out. Call the tool again.`;
