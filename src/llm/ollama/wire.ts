// The wire format of Ollama's native API, as far as we read it.
import * as z from 'zod';

/** Counts and times are left out if they are zero; times are nanoseconds. */
export const ChatChunk = z.lazy(() =>
  z.object({
    message: z
      .object({
        content: z.string().nullish(),
        thinking: z.string().nullish(),
        tool_calls: z
          .array(
            z.object({
              id: z.string().nullish(),
              function: z.object({ name: z.string(), arguments: z.unknown() }),
            }),
          )
          .nullish(),
      })
      .optional(),
    done: z.boolean().optional(),
    done_reason: z.string().nullish(),
    total_duration: z.number().optional(),
    prompt_eval_count: z.number().optional(),
    prompt_eval_duration: z.number().optional(),
    eval_count: z.number().optional(),
    eval_duration: z.number().optional(),
  }),
);
export type ChatChunk = z.infer<typeof ChatChunk>;

/** `capabilities` came with 0.6.4; of older servers only the template helps. */
export const ShowResponse = z.lazy(() =>
  z.object({
    template: z.string().optional(),
    /** The parameters that the model's author set, one a line: the name, spaces, the value. */
    parameters: z.string().optional(),
    details: z
      .object({ family: z.string().optional(), parameter_size: z.string().optional() })
      .optional(),
    model_info: z.record(z.string(), z.unknown()).optional(),
    capabilities: z.array(z.string()).nullish(),
  }),
);
export type ShowResponse = z.infer<typeof ShowResponse>;

export const TagsResponse = z.lazy(() =>
  z.object({
    models: z
      .array(
        z.object({
          name: z.string(),
          digest: z.string().optional(),
          size: z.number().optional(),
          remote_host: z.string().optional(),
          capabilities: z.array(z.string()).nullish(),
          details: z
            .object({ family: z.string().optional(), parameter_size: z.string().optional() })
            .optional(),
        }),
      )
      .nullable(),
  }),
);
export type TagsResponse = z.infer<typeof TagsResponse>;

export const PsResponse = z.lazy(() =>
  z.object({
    models: z
      .array(z.object({ name: z.string(), context_length: z.number().optional() }))
      .nullable(),
  }),
);
export type PsResponse = z.infer<typeof PsResponse>;

/** A line of /api/pull: a step, or how many bytes of one part have arrived. */
export const PullLine = z.lazy(() =>
  z.object({
    status: z.string(),
    digest: z.string().optional(),
    total: z.number().optional(),
    /** Left out while there are none. */
    completed: z.number().optional(),
  }),
);
export type PullLine = z.infer<typeof PullLine>;

export const VersionResponse = z.lazy(() => z.object({ version: z.string() }));
