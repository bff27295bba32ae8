// Pure: tool names and call ids in a form that every server accepts, and back.
import type { ModelRequest } from '../../schema/model/turn.ts';

const LONGEST_NAME = 64;
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
  const tools = mapping((name) => safe(name, LONGEST_NAME));
  const ids = hasShortIds
    ? mapping((_, count) => `c${String(count).padStart(8, '0')}`)
    : mapping((id) => safe(id, LONGEST_ID));
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

const safe = (text: string, longest: number): string =>
  text.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, longest) || '_';

function mapping(form: (own: string, count: number) => string): {
  to(own: string): string;
  from(wire: string): string;
} {
  const wireOf = new Map<string, string>();
  const ownOf = new Map<string, string>();
  return {
    to(own) {
      const known = wireOf.get(own);
      if (known !== undefined) return known;
      const wanted = form(own, wireOf.size + 1);
      let wire = wanted;
      for (let n = 2; ownOf.has(wire); n += 1) {
        const end = `_${n}`;
        wire = wanted.slice(0, LONGEST_ID - end.length) + end;
      }
      wireOf.set(own, wire);
      ownOf.set(wire, own);
      return wire;
    },
    from: (wire) => ownOf.get(wire) ?? wire,
  };
}
