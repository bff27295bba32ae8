import type { MessagePart } from '../schema/model/message-parts.ts';

/** What stands behind the words of a message for parts that a model is not sent. */
export const partsText = (parts: readonly MessagePart[] = []): string =>
  parts
    .map(({ mediaType }) => `\n[A file of type ${mediaType} is here, and you cannot see it.]`)
    .join('');

/** The same for one whose bytes are gone. */
export const LOST_PART = '\n[A file was here, and its content is lost.]';
