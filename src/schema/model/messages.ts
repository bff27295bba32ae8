import * as z from 'zod';
import { StoredText } from '../text.ts';
import type { MessagePart } from './message-parts.ts';

/** A call as a model makes it; `id` is the provider's, or ours where it gives none. */
export const ToolCall = z.object({
  id: z.string(),
  name: z.string(),
  /** Values of spilled strings are `BlobRef`s on disk and strings in memory. */
  args: z.record(z.string(), z.unknown()),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** What the model answered. `opaque` holds blocks only their own provider can read (signed thinking). */
export const AssistantReply = z.object({
  content: StoredText,
  thinking: StoredText.optional(),
  toolCalls: z.array(ToolCall).optional(),
  opaque: z.object({ provider: z.string(), blocks: z.unknown() }).optional(),
});
export type AssistantReply = z.infer<typeof AssistantReply>;

/** An image as it goes over the wire. */
export interface MessageImage {
  /** As in `image/png`. */
  readonly mediaType: string;
  /** In base64. */
  readonly data: string;
}

/** The neutral message every provider translates to its own wire form. */
export type Message =
  | { readonly role: 'system'; readonly content: string }
  | {
      readonly role: 'user';
      readonly content: string;
      /** What stands beside the words, by its blobs; a request has images, or words, in their place. */
      readonly parts?: readonly MessagePart[];
      /** Of a request. */
      readonly images?: readonly MessageImage[];
    }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly thinking?: string;
      readonly toolCalls?: readonly ToolCall[];
      readonly opaque?: { readonly provider: string; readonly blocks: unknown };
      /** Who said it, of a conversation that was held elsewhere; no model is told. */
      readonly model?: string;
    }
  | {
      readonly role: 'tool';
      readonly content: string;
      readonly toolCallId: string;
      readonly toolName: string;
    };
