// Pure: tool names and call ids in a form that every server accepts, and back.
import type { ModelRequest } from '../../schema/model/turn.ts';
import { safeName, safeNames } from '../wire/safe-names.ts';

const LONGEST_ID = 40;

export interface OpenAiNames {
  toolToWire(name: string): string;
  /** A name that was never sent comes back unchanged. */
  toolFromWire(wireName: string): string;
  idToWire(id: string): string;
}

/**
 * Tools come first, then names in the order of the conversation, so that a longer conversation gets the same names.
 * `hasShortIds`: nine letters or digits, as Mistral requires.
 */
export function wireNames(request: ModelRequest, hasShortIds: boolean): OpenAiNames {
  const tools = safeNames((name) => safeName(name, '_'), LONGEST_ID);
  const ids = safeNames(
    hasShortIds
      ? (_, count) => `c${String(count).padStart(8, '0')}`
      : (id) => safeName(id, '_', LONGEST_ID),
    LONGEST_ID,
  );
  for (const { name } of request.tools ?? []) tools.to(name);
  for (const message of request.messages) {
    if (message.role === 'tool') {
      tools.to(message.toolName);
      ids.to(message.toolCallId);
    } else if (message.role === 'assistant') {
      for (const call of message.toolCalls ?? []) {
        tools.to(call.name);
        ids.to(call.id);
      }
    }
  }
  return { toolToWire: tools.to, toolFromWire: tools.from, idToWire: ids.to };
}
