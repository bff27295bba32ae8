/** Turns a language model of the Vercel AI SDK into a provider, recognised by its shape, from any package. */
import { type Clock, systemClock } from '../../lib/clock.ts';
import { misuse } from '../../lib/errors.ts';
import type { ModelEvent, ModelRequest } from '../../schema/model/turn.ts';
import { knownByName } from '../models/known-models.ts';
import type { Provider } from '../provider.ts';
import { callOptions } from './call-options.ts';
import { type LanguageModelLike, type ReadableStreamLike, SPECIFICATIONS } from './contract.ts';
import { providerErrorFrom } from './failures.ts';
import { readParts } from './read-parts.ts';

/** What the SDK does not tell about a model: `contextWindow` in tokens. */
export interface LanguageModelOptions {
  /** Tokens; left out: what is known about a model of this name. */
  readonly contextWindow?: number;
  /** Whether it calls tools; left out: it does. */
  readonly tools?: boolean;
  readonly clock?: Pick<Clock, 'monotonic'>;
}

export const isLanguageModel = (value: unknown): value is LanguageModelLike =>
  typeof value === 'object' &&
  value !== null &&
  'doStream' in value &&
  'specificationVersion' in value;

/**
 * Any model of the Vercel AI SDK with specification v2, v3 or v4: `fromLanguageModel(openai('gpt-5-mini'))`. It brings
 * its own key; pass that in `keys` of a run too, so that it is never written anywhere. Throws E_USAGE for a model of
 * another specification.
 */
export function fromLanguageModel(
  model: LanguageModelLike,
  options: LanguageModelOptions = {},
): Provider {
  const { clock = systemClock } = options;
  const { provider: name, modelId, specificationVersion: version } = checked(model);
  const shown = `${name} ${modelId}`;
  const { contextWindow = knownByName(modelId)?.window ?? null, tools = true } = options;
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const began = clock.monotonic();
    try {
      const asked = callOptions(request, { provider: name, version, signal });
      const { stream: parts } = await model.doStream(asked as never);
      yield* readParts(iterated(parts), () => clock.monotonic() - began);
    } catch (thrown) {
      throw providerErrorFrom(thrown, shown, signal);
    }
  }
  return {
    name,
    stream,
    describe: async () => ({
      model: modelId,
      digest: null,
      contextWindow,
      capabilities: { tools, schema: true, thinking: false },
      isPublic: true,
      ...(options.contextWindow === undefined && contextWindow !== null
        ? { isWindowByName: true }
        : {}),
    }),
    list: async () => [modelId],
    close: async () => {},
  };
}

function checked(model: LanguageModelLike): LanguageModelLike {
  if (isLanguageModel(model) && SPECIFICATIONS.some((one) => one === model.specificationVersion))
    return model;
  const version = isLanguageModel(model)
    ? `the specification ${String(model.specificationVersion)}`
    : 'no language model';
  throw misuse(
    `A model of ${version} cannot be used.`,
    `Give one of the Vercel AI SDK with the specification ${SPECIFICATIONS.join(', ')}.`,
  );
}

async function* iterated(
  parts: AsyncIterable<unknown> | ReadableStreamLike,
): AsyncGenerator<unknown> {
  if (Symbol.asyncIterator in parts) {
    yield* parts;
    return;
  }
  const reader = parts.getReader();
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isOver = done;
      if (done) return;
      yield value;
    }
  } finally {
    // A reader that stops early lets the server stop.
    if (!isOver) await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}
