// The wire format of the Messages API, as far as we read it.
import * as z from 'zod';
import { lazily } from '../../lib/lazily.ts';

/** A negative number is rejected, because it would lower other counts. */
const Amount = z.number().nonnegative().nullish().catch(null);

/** Counts are cumulative; a count that an event does not report is null or left out. */
const UsageCounts = z.lazy(() =>
  z.object({
    input_tokens: Amount,
    output_tokens: Amount,
    cache_creation_input_tokens: Amount,
    cache_read_input_tokens: Amount,
    output_tokens_details: z.object({ thinking_tokens: Amount }).nullish(),
  }),
);
export type UsageCounts = z.infer<typeof UsageCounts>;

const ContentDelta = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text_delta'), text: z.string() }),
    z.object({ type: z.literal('input_json_delta'), partial_json: z.string() }),
    z.object({ type: z.literal('thinking_delta'), thinking: z.string() }),
    z.object({ type: z.literal('signature_delta'), signature: z.string() }),
  ]),
);
export type ContentDelta = z.infer<typeof ContentDelta>;

/** Events and deltas of other types may arrive at any time and are ignored. */
const streamEvents = lazily(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('message_start'),
      message: z.object({ usage: UsageCounts.nullish() }),
    }),
    z.object({
      type: z.literal('content_block_start'),
      index: z.number(),
      content_block: z.looseObject({ type: z.string() }),
    }),
    z.object({
      type: z.literal('content_block_delta'),
      index: z.number(),
      delta: z.union([ContentDelta, z.object({ type: z.string() }).transform(() => null)]),
    }),
    z.object({ type: z.literal('content_block_stop'), index: z.number() }),
    z.object({
      type: z.literal('message_delta'),
      delta: z.object({
        stop_reason: z.string().nullish(),
        stop_details: z.object({ category: z.string().nullish() }).nullish(),
      }),
      usage: UsageCounts.nullish(),
    }),
    z.object({ type: z.literal('message_stop') }),
  ]),
);
export const MessageStreamEvent = z.lazy(streamEvents);
export type MessageStreamEvent = z.infer<typeof MessageStreamEvent>;

export const isKnownEvent = (type: string): boolean =>
  streamEvents().options.some(({ shape }) => shape.type.value === type);

const Support = z.object({ supported: z.boolean() });

/** A model as /v1/models describes it; servers that imitate the API leave most of it out. */
export const WireModel = z.lazy(() =>
  z.object({
    id: z.string(),
    max_input_tokens: z.number().nullish(),
    max_tokens: z.number().nullish(),
    lifecycle: z.string().nullish(),
    capabilities: z
      .object({
        structured_outputs: Support.nullish(),
        image_input: Support.nullish(),
        thinking: z
          .object({
            supported: z.boolean(),
            types: z.object({ adaptive: Support.nullish(), disabled: Support.nullish() }).nullish(),
          })
          .nullish(),
      })
      .nullish(),
  }),
);
export type WireModel = z.infer<typeof WireModel>;
