// Turns chunks of /api/chat into neutral events: calls may arrive in any chunk, including the last.
import { own } from '../../lib/own.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { FinishReason, ModelEvent, ModelRequest, Usage } from '../../schema/model/turn.ts';
import { invalidAnswer } from '../provider.ts';
import { callIds } from '../wire/answered-calls.ts';
import { notAnObject, refuseTooDeep, shortJson } from '../wire/nesting.ts';
import { ChatChunk } from './wire.ts';

/** Maps Ollama's finish reason to ours. It has none for tool calls, and old servers send none at all. */
const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  '': 'stop',
  stop: 'stop',
  length: 'length',
};

/** Ends with `finished`, or throws if the stream ended without a `done` chunk. */
export async function* readChunks(
  chunks: AsyncIterable<unknown>,
  request: ModelRequest,
): AsyncGenerator<ModelEvent> {
  const collect = callCollector(request);
  let hasCalls = false;
  for await (const raw of chunks) {
    const { data: chunk } = ChatChunk.safeParse(raw);
    if (chunk === undefined)
      throw invalidAnswer(`A chunk of Ollama's answer has an unknown form: ${shortJson(raw)}`);
    const { thinking, content, tool_calls: calls } = chunk.message ?? {};
    if (thinking) yield { type: 'thinking', text: thinking };
    if (content) yield { type: 'text', text: content };
    for (const wireCall of calls ?? []) {
      const call = collect(wireCall.id ?? '', wireCall.function.name, wireCall.function.arguments);
      if (call === null) continue;
      hasCalls = true;
      yield { type: 'tool_call', call };
    }
    if (chunk.done) {
      yield finished(chunk, hasCalls);
      return;
    }
  }
  throw invalidAnswer(
    'The answer broke off: Ollama ended the stream without saying that it is done.',
  );
}

function finished(chunk: ChatChunk, hasCalls: boolean): ModelEvent {
  const rawReason = chunk.done_reason ?? '';
  const reason = own(FINISH_REASONS, rawReason) ?? 'other';
  return {
    type: 'finished',
    reason: reason === 'stop' && hasCalls ? 'tool_calls' : reason,
    rawReason,
    usage: usageOf(chunk),
  };
}

/** `prompt_eval_count` includes cached tokens, without saying how many they are. */
function usageOf(chunk: ChatChunk): Usage {
  const worked = (chunk.prompt_eval_duration ?? 0) + (chunk.eval_duration ?? 0);
  return {
    input: chunk.prompt_eval_count ?? 0,
    output: chunk.eval_count ?? 0,
    thinking: 0,
    cacheRead: 0,
    cacheWrite: 0,
    modelMs: Math.round((worked || (chunk.total_duration ?? 0)) / 1e6),
  };
}

/**
 * Gives every call an id. A call that a server sends twice, in the middle and in the last chunk, counts once.
 */
function callCollector(
  request: ModelRequest,
): (id: string, name: string, args: unknown) => ToolCall | null {
  const idOf = callIds(request.messages);
  const seen = new Map<string, string>();
  return (id, name, rawArgs) => {
    const args = argumentsOf(name, rawArgs);
    const content = JSON.stringify([name, args]);
    if (id !== '' && seen.get(id) === content) return null;
    if (id !== '' && !seen.has(id)) seen.set(id, content);
    return { id: idOf(id), name, args };
  };
}

function argumentsOf(name: string, value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {};
  refuseTooDeep(name, value);
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  throw notAnObject(name, shortJson(value));
}
