import type { MessagePart } from '../schema/model/message-parts.ts';

/** What stands behind the words of a message for its parts, none of which a model is sent. */
export const partsText = (parts: readonly MessagePart[] = []): string =>
  parts
    .map(({ mediaType }) => `\n[A file of type ${mediaType} is here, and you cannot see it.]`)
    .join('');
