// Pure: what servers tell about their models, each in its own words.
import { defined } from '../../lib/defined.ts';
import { isRecord } from '../../lib/json-value.ts';
import type { Price } from '../../schema/model/price.ts';
import type { ModelInfo } from '../provider.ts';
import type { Listed } from './wire.ts';

/** Models for other purposes than conversations, by the names that vendors give them. */
const NO_CHAT =
  /embed|whisper|\btts\b|-tts|dall-e|moderation|gpt-image|realtime|transcri|rerank|\bsora\b|davinci-00|babbage-00|\bbge-|audio/i;

/** Loaded ones first, then the newest, else in the server's order. */
export const usableModels = (listed: readonly Listed[]): readonly Listed[] =>
  listed.filter(canTalk).sort((a, b) => rank(b) - rank(a) || (b.created ?? 0) - (a.created ?? 0));

const rank = ({ state }: Listed): number => (state === 'loaded' ? 1 : 0);

function canTalk({ id, type, architecture }: Listed): boolean {
  const outputs = architecture?.output_modalities;
  if (outputs) return outputs.includes('text');
  if (type === 'llm' || type === 'vlm') return true;
  return type !== 'embeddings' && !NO_CHAT.test(id);
}

/**
 * The window of a model here: what the server runs it with if it says so, else what the model was made for; `null` if
 * unknown.
 */
export const listedWindow = (listed: Listed): number | null =>
  [
    listed.loaded_context_length,
    listed.meta?.n_ctx,
    listed.max_model_len,
    listed.context_length,
    listed.context_window,
    listed.max_context_length,
    listed.meta?.n_ctx_train,
  ].find((tokens): tokens is number => typeof tokens === 'number' && tokens > 0) ?? null;

const THINKS = /^(.*\/)?(o\d|gpt-[5-9]|gpt-oss|.*(r1|qwq|reasoner|thinking|magistral))/i;

/** A schema can always be requested: if the server does not support it, words do the job. */
export function modelInfo(model: string, listed: Listed | null, window: number | null): ModelInfo {
  const parameters = listed?.supported_parameters;
  return {
    model,
    digest: null,
    contextWindow: window,
    capabilities: {
      tools: parameters?.includes('tools') ?? toolCapability(listed),
      schema: true,
      thinking: parameters?.includes('reasoning') ?? THINKS.test(model),
      ...defined({ images: imageCapability(listed) }),
    },
    // A variant may have another price.
    price: listed?.id === model ? priceOf(listed.pricing) : null,
    ...(listed?.meta?.n_params ? { parameters: listed.meta.n_params } : {}),
  };
}

/** OpenRouter reports the inputs, Mistral vision support, LM Studio the type of an image model. */
function imageCapability(listed: Listed | null): boolean | undefined {
  const modalities = listed?.architecture?.input_modalities;
  if (modalities) return modalities.includes('image');
  const capabilities = listed?.capabilities;
  if (isRecord(capabilities) && 'vision' in capabilities) return capabilities.vision === true;
  return listed?.type === 'vlm' ? true : undefined;
}

/** `null` if a request costs more than its tokens, or the price is not reported. */
function priceOf(pricing: Listed['pricing']): Price | null {
  const input = perMillion(pricing?.prompt);
  const output = perMillion(pricing?.completion);
  if (input === null || output === null || Number(pricing?.request ?? 0) !== 0) return null;
  return {
    input,
    output,
    cacheRead: perMillion(pricing?.input_cache_read) ?? input,
    cacheWrite: perMillion(pricing?.input_cache_write) ?? input,
  };
}

/** A negative price means that it depends on what the server chooses. */
function perMillion(dollars: string | number | null | undefined): number | null {
  const price = Number(dollars ?? Number.NaN);
  if (dollars === '' || !Number.isFinite(price) || price < 0) return null;
  return Math.round(price * 1e12) / 1e6;
}

/** Only LM Studio's list without tools, or Mistral's explicit no, shows that a model has none. */
function toolCapability(listed: Listed | null): boolean {
  const capabilities = listed?.capabilities;
  if (Array.isArray(capabilities)) return !listed?.type || capabilities.includes('tool_use');
  if (typeof capabilities !== 'object' || capabilities === null) return true;
  return !('function_calling' in capabilities) || capabilities.function_calling !== false;
}

/** OpenRouter's `model:free` and `model:nitro` are variants that are not listed. */
export const findModel = (listed: readonly Listed[], model: string): Listed | null =>
  listed.find(({ id }) => id === model) ??
  listed.find(({ id }) => id === model.replace(/:[a-z]+$/, '')) ??
  null;
