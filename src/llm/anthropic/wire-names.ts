// Ids and tool names the API takes, for whatever another provider or a tool server called them; pure.
import type { ModelRequest } from '../../schema/model/turn.ts';
import { LONGEST_NAME, safeName, safeNames } from '../wire/safe-names.ts';

export interface AnthropicNames {
  /** The name on the wire of a declared tool, or of one called earlier. */
  toWire(name: string): string;
  /** The name that a tool has here; an undeclared name stays as the model wrote it. */
  toNeutral(wireName: string): string;
  unused(wanted: string): string;
  /** Tools called earlier that the request does not declare; the API requires every one to be declared. */
  readonly undeclared: readonly string[];
}

export function wireNames(request: ModelRequest): AnthropicNames {
  const declared = (request.tools ?? []).map((tool) => tool.name);
  const called = request.messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []).map((call) => call.name) : [],
  );
  const { to, from, isTaken } = safeNames((name) => safeName(name, 'tool'), LONGEST_NAME);
  for (const name of [...declared, ...called]) to(name);
  return {
    toWire: to,
    toNeutral: from,
    unused(wanted) {
      let free = wanted;
      for (let n = 2; isTaken(free); n += 1) free = `${wanted}_${n}`;
      return free;
    },
    undeclared: [...new Set(called)].filter((name) => !declared.includes(name)),
  };
}

export const safeId = (id: string): string => safeName(id, 'call', Number.POSITIVE_INFINITY);
