import * as z from 'zod';

/** A part of a message besides its text, such as an image. Its bytes are `blobs/<blob>`. */
export const MessagePart = z.object({
  /** sha256 */
  blob: z.string(),
  /** The media type, such as `image/png`. */
  mediaType: z.string(),
  bytes: z.number().int(),
});
export type MessagePart = z.infer<typeof MessagePart>;

export const PARTS = { parts: z.array(MessagePart).optional() };
