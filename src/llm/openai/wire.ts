// The wire format of OpenAI-compatible servers, as far as we read it.
import * as z from 'zod';

const Count = z.number().nullish().catch(null);
/** A negative number is rejected, because it would lower other counts. */
const Amount = z.number().nonnegative().nullish().catch(null);
const Text = z.string().nullish().catch(null);
/** Dollars per token, as text so that no digit is lost. */
const Dollars = z.union([z.string(), z.number()]).nullish().catch(null);

/** A fragment of one call. `arguments` is text, but some servers send the object itself. */
export const CallDelta = z.lazy(() =>
  z.object({
    index: Count,
    id: Text,
    function: z.object({ name: Text, arguments: z.unknown().optional() }).nullish(),
    /** Google's signature of the thought behind a call, which must be sent back. */
    extra_content: z.unknown().optional(),
  }),
);
export type CallDelta = z.infer<typeof CallDelta>;

const Part = z.lazy(() =>
  z.object({ type: z.string(), text: Text, thinking: z.unknown().optional() }),
);

const ChunkDelta = z.lazy(() =>
  z.object({
    /** Mistral's thinking models send a list of parts. */
    content: z.union([z.string(), z.array(Part)]).nullish(),
    refusal: Text,
    reasoning_content: Text,
    reasoning: Text,
    reasoning_details: z.array(z.record(z.string(), z.unknown())).nullish().catch(null),
    tool_calls: z.array(CallDelta).nullish(),
  }),
);
export type ChunkDelta = z.infer<typeof ChunkDelta>;

export const WireUsage = z.lazy(() =>
  z.object({
    prompt_tokens: Amount,
    completion_tokens: Amount,
    total_tokens: Amount,
    prompt_tokens_details: z
      .object({ cached_tokens: Amount, cache_write_tokens: Amount })
      .nullish(),
    completion_tokens_details: z.object({ reasoning_tokens: Amount }).nullish(),
    /** DeepSeek. */
    prompt_cache_hit_tokens: Amount,
  }),
);
export type WireUsage = z.infer<typeof WireUsage>;

export const Chunk = z.lazy(() =>
  z.object({
    /** `error` marks what older vLLM sends instead of a chunk. */
    object: Text,
    choices: z
      .array(
        z.object({
          index: Count,
          delta: ChunkDelta.nullish(),
          /** Instead of `delta` if a server does not stream. */
          message: ChunkDelta.nullish(),
          finish_reason: Text,
          error: z.unknown().optional(),
        }),
      )
      .nullish(),
    usage: WireUsage.nullish().catch(null),
    /** llama.cpp: tokens of the prompt, including cached ones. */
    prompt_progress: z
      .object({ total: z.number(), cache: z.number(), processed: z.number() })
      .nullish()
      .catch(null),
    /** llama.cpp: milliseconds, and the number of cached tokens. */
    timings: z
      .object({ cache_n: Amount, prompt_ms: Amount, predicted_ms: Amount })
      .nullish()
      .catch(null),
  }),
);
export type Chunk = z.infer<typeof Chunk>;
export type ChunkChoice = NonNullable<Chunk['choices']>[number];

/** One model as `/models` lists it; servers differ in what they tell. */
export const Listed = z.lazy(() =>
  z.object({
    id: z.string(),
    owned_by: Text,
    created: Count,
    /** OpenRouter, Together. */
    context_length: Count,
    supported_parameters: z.array(z.string()).nullish().catch(null),
    /** OpenRouter. */
    pricing: z
      .object({
        prompt: Dollars,
        completion: Dollars,
        input_cache_read: Dollars,
        input_cache_write: Dollars,
        request: Dollars,
      })
      .nullish()
      .catch(null),
    architecture: z
      .object({
        input_modalities: z.array(z.string()).nullish(),
        output_modalities: z.array(z.string()).nullish(),
      })
      .nullish()
      .catch(null),
    /** vLLM. */
    max_model_len: Count,
    /** Groq. */
    context_window: Count,
    /** Mistral, LM Studio. */
    max_context_length: Count,
    capabilities: z.unknown().optional(),
    /** LM Studio's own list. */
    loaded_context_length: Count,
    state: Text,
    type: Text,
    /** llama.cpp. */
    meta: z.object({ n_ctx_train: Count, n_ctx: Count, n_params: Count }).nullish().catch(null),
  }),
);
export type Listed = z.infer<typeof Listed>;

/** Together answers with the list itself. */
export const ListResponse = z.lazy(() =>
  z.union([z.object({ data: z.array(Listed) }), z.array(Listed).transform((data) => ({ data }))]),
);

/** llama.cpp's `/props`. */
export const PropsResponse = z.lazy(() =>
  z.object({
    default_generation_settings: z.object({ n_ctx: Count }).nullish(),
  }),
);
