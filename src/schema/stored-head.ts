import type { StoredText } from './text.ts';

/** A text, or its beginning if the rest is in a blob. */
export const storedHead = (text: StoredText): string =>
  typeof text === 'string' ? text : text.head;
