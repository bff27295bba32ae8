/**
 * `native`: the provider's own tool calls, plus calls recovered from plain text: only declared names with valid
 * arguments, and never from thinking. Every request lists all tools, so that the prompt keeps its beginning; a tool
 * that is not available at the moment is refused when it is called.
 */
import { isRecord } from '../../lib/json-value.ts';
import type { Capability, ToolNames } from '../../schema/actions.ts';
import type { Message } from '../../schema/model/messages.ts';
import type { ModelQuestion } from '../../schema/model/question.ts';
import type { ToolDefinition } from '../../schema/model/turn.ts';
import type { Decoded } from '../../schema/records.ts';
import { readJson } from '../text-tool-calls/read-json.ts';
import { readTextCalls } from '../text-tool-calls/recover.ts';
import { type DecodeContext, roomyOutputTokens, type ToolModeCodec } from './tool-mode.ts';

export const nativeMode: ToolModeCodec = {
  encode(question, { tools, names, planSchema, contextWindow }) {
    const maxOutputTokens = roomyOutputTokens(question, contextWindow);
    const alone = question.kind === 'action' && tools.find(isOf(question.asData, names));
    if (alone) return { responseSchema: alone.parameters, maxOutputTokens };
    return question.kind === 'plan'
      ? { responseSchema: planSchema, maxOutputTokens }
      : { tools, maxOutputTokens };
  },

  decode: (question, reply, context) => decoded(question, reply, context, false),
  decodeCut: (question, reply, context) => decoded(question, reply, context, true),
  conversation: (messages) => messages,
};

function decoded(
  question: ModelQuestion,
  { toolCalls, content }: Extract<Message, { role: 'assistant' }>,
  { callId: idPrefix, judge, tools, names }: DecodeContext,
  cutOff: boolean,
): Decoded {
  if (question.kind === 'plan') return { kind: 'text' };
  if (toolCalls && toolCalls.length > 0)
    return { kind: 'calls', calls: [...toolCalls], recovered: false };
  const alone = question.kind === 'action' && tools.find(isOf(question.asData, names));
  const args = alone && !cutOff ? readJson(content)?.value : null;
  if (alone && isRecord(args))
    return { kind: 'calls', calls: [{ id: idPrefix, name: alone.name, args }], recovered: true };
  const reading = readTextCalls(content, { judge, idPrefix, cutOff });
  switch (reading.kind) {
    case 'calls':
      return { kind: 'calls', calls: [...reading.calls], recovered: true };
    case 'shown_back':
      return { kind: 'invalid', error: reading.error };
    case 'text':
      return { kind: 'text' };
  }
}

const isOf =
  (does: Capability | undefined, names: ToolNames) =>
  ({ name }: ToolDefinition): boolean =>
    does !== undefined && names[does] === name;
