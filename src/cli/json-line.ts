import { jsonText } from '../lib/text/plain-text.ts';
import type { StreamEvent } from '../schema/events/stream.ts';

/** Pure: an event as one line of `--json`. */
export const jsonLine = (event: StreamEvent): string => `${jsonText(event)}\n`;
