/** Turns the stream of an AI SDK model into events; parts of an unknown kind are ignored. */
import { isRecord, jsonIn, textIn } from '../../lib/json-value.ts';
import { own } from '../../lib/own.ts';
import type { FinishReason, ModelEvent, Usage } from '../../schema/model/turn.ts';
import { ProviderError } from '../provider.ts';
import { refuseTooDeep, unreadableCall } from '../wire/nesting.ts';
import { blockCollector } from './opaque.ts';

/** Loosely typed: only the fields that a part's kind has are read. */
type Part = { readonly [field: string]: unknown };

const metadataIn = ({ providerMetadata }: Part) =>
  isRecord(providerMetadata) ? providerMetadata : undefined;

/** Throws the error of an `error` part, and a `ProviderError` for a stream without an end. */
export async function* readParts(
  parts: AsyncIterable<unknown>,
  elapsed: () => number,
): AsyncGenerator<ModelEvent> {
  const collected = blockCollector();
  const indexes = new Map<string, number>();
  const indexOf = (id: string): number => {
    const index = indexes.get(id) ?? indexes.size;
    indexes.set(id, index);
    return index;
  };
  for await (const part of parts) {
    if (!isRecord(part)) continue;
    const [id, delta] = [textIn(part.id), textIn(part.delta)];
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        collected.add('text', id, delta, metadataIn(part));
        if (delta !== '') yield { type: 'text', text: delta };
        break;
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        collected.add('reasoning', id, delta, metadataIn(part));
        if (delta !== '') yield { type: 'thinking', text: delta };
        break;
      case 'tool-input-start':
        if (part.providerExecuted !== true)
          yield { type: 'tool_call_started', index: indexOf(id), name: textIn(part.toolName) };
        break;
      case 'tool-input-delta':
        if (indexes.has(id)) yield { type: 'tool_call_arguments', index: indexOf(id), text: delta };
        break;
      case 'tool-call': {
        // Calls that the provider carries out itself are ignored.
        if (part.providerExecuted === true) break;
        const call = callOf(part);
        collected.call(call.id, metadataIn(part));
        yield { type: 'tool_call', call };
        break;
      }
      case 'error':
        throw part.error;
      case 'finish': {
        const blocks = collected.blocks();
        if (blocks !== null) yield { type: 'opaque', blocks };
        yield { type: 'finished', ...reasonOf(part), usage: usageOf(part.usage, elapsed()) };
        return;
      }
      default:
    }
  }
  throw new ProviderError(
    { kind: 'network_error', retryable: true },
    'The answer of the model broke off before its end.',
    'Try it again.',
  );
}

function callOf(part: Part) {
  const [id, name, input] = [textIn(part.toolCallId), textIn(part.toolName), part.input];
  const args = typeof input === 'string' ? jsonIn(input.trim() || '{}') : input;
  if (!isRecord(args))
    throw unreadableCall(`The arguments of the call of ${name} are no JSON object.`);
  refuseTooDeep(name, args);
  return { id, name, args };
}

const REASONS: { readonly [reason: string]: FinishReason } = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'refusal',
};

/** A string in v2; since v3 an object with the provider's own word beside it. */
function reasonOf({ finishReason }: Part): {
  readonly reason: FinishReason;
  readonly rawReason: string;
} {
  const said = isRecord(finishReason) ? finishReason : { unified: finishReason };
  const unified = textIn(said.unified);
  return { reason: own(REASONS, unified) ?? 'other', rawReason: textIn(said.raw) || unified };
}

/** Flat in v2, where the input total includes cached tokens; nested since v3. */
function usageOf(value: unknown, elapsedMs: number): Usage {
  const usage = isRecord(value) ? value : {};
  const { inputTokens, outputTokens: made } = usage;
  const [into, out] = [isRecord(inputTokens) ? inputTokens : null, isRecord(made) ? made : null];
  const total = numberIn(into?.total ?? inputTokens);
  const cacheRead = numberIn(into?.cacheRead ?? usage.cachedInputTokens);
  const cacheWrite = numberIn(into?.cacheWrite);
  const written = numberIn(out?.total ?? made);
  const thinking = numberIn(out?.reasoning ?? usage.reasoningTokens);
  const plain = into?.noCache;
  return {
    input: typeof plain === 'number' ? plain : Math.max(0, total - cacheRead - cacheWrite),
    output: typeof out?.text === 'number' ? out.text : Math.max(0, written - thinking),
    thinking,
    cacheRead,
    cacheWrite,
    modelMs: Math.round(elapsedMs),
  };
}

const numberIn = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
