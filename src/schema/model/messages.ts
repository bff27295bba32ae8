import * as z from 'zod';
import { StoredText } from '../text.ts';
import type { MessagePart } from './message-parts.ts';

/** A call as a model makes it; `id` is the provider's, or ours if it gives none. */
export const ToolCall = z.object({
  id: z.string(),
  name: z.string(),
  /** Long strings are `BlobRef`s on disk and strings in memory. */
  args: z.record(z.string(), z.unknown()),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** What the model answered. `opaque` holds blocks that only their provider can read (signed thinking). */
export const AssistantReply = z.object({
  content: StoredText,
  thinking: StoredText.optional(),
  toolCalls: z.array(ToolCall).optional(),
  opaque: z.object({ provider: z.string(), blocks: z.unknown() }).optional(),
});
export type AssistantReply = z.infer<typeof AssistantReply>;

/** An image as it is sent. */
export interface MessageImage {
  /** Such as `image/png`. */
  readonly mediaType: string;
  /** In base64. */
  readonly data: string;
}

/** The neutral message, which every provider translates to its own wire form. */
export type Message =
  | { readonly role: 'system'; readonly content: string }
  | {
      readonly role: 'user';
      readonly content: string;
      /** Parts besides the text, as blobs; a request has images, or text, in their place. */
      readonly parts?: readonly MessagePart[];
      /** Only in a request. */
      readonly images?: readonly MessageImage[];
    }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly thinking?: string;
      readonly toolCalls?: readonly ToolCall[];
      readonly opaque?: { readonly provider: string; readonly blocks: unknown };
      /** The model that said it, if that was elsewhere; it is not sent. */
      readonly model?: string;
    }
  | {
      readonly role: 'tool';
      readonly content: string;
      readonly toolCallId: string;
      readonly toolName: string;
    };
