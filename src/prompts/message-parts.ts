import type { MessagePart } from '../schema/model/message-parts.ts';

/** The text after a message's words for parts that are not sent to the model. */
export const partsText = (parts: readonly MessagePart[] = []): string =>
  parts
    .map(({ mediaType }) => `\n[A file of type ${mediaType} is here, and you cannot see it.]`)
    .join('');

/** Replaces a part whose bytes are lost. */
export const LOST_PART = '\n[A file was here, and its content is lost.]';
