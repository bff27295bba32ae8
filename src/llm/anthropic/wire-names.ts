// Ids and tool names the API takes, for whatever another provider or a tool server called them; pure.
import type { ModelRequest } from '../../schema/model/turn.ts';

const LONGEST_NAME = 64;

const safe = (text: string, fallback: string): string =>
  text.replace(/[^a-zA-Z0-9_-]/g, '_') || fallback;

/** Gives every text a safe one that no other has; a text that is safe already stays as it is. */
function safeTexts(texts: readonly string[], fallback: string, longest: number) {
  const toWire = new Map<string, string>();
  const taken = new Set<string>();
  const shorten = (text: string, end = ''): string => text.slice(0, longest - end.length) + end;
  const add = (text: string): void => {
    if (toWire.has(text)) return;
    const wanted = shorten(safe(text, fallback));
    let free = wanted;
    for (let n = 2; taken.has(free); n += 1) free = shorten(wanted, `_${n}`);
    taken.add(free);
    toWire.set(text, free);
  };
  // Stable as a conversation grows: later texts never change what an earlier one became.
  for (const text of texts) add(text);
  return toWire;
}

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
  const names = safeTexts([...declared, ...called], 'tool', LONGEST_NAME);
  const back = new Map([...names].map(([name, wireName]) => [wireName, name]));
  return {
    toWire: (name) => names.get(name) ?? safe(name, 'tool'),
    toNeutral: (wireName) => back.get(wireName) ?? wireName,
    unused(wanted) {
      let free = wanted;
      for (let n = 2; back.has(free); n += 1) free = `${wanted}_${n}`;
      return free;
    },
    undeclared: [...new Set(called)].filter((name) => !declared.includes(name)),
  };
}

export const safeId = (id: string): string => safe(id, 'call');
