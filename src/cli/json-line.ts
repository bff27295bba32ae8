import { jsonText } from '../lib/text/plain-text.ts';
import type { StreamEvent } from '../schema/events/stream.ts';

export const jsonLine = (event: StreamEvent): string => `${jsonText(event)}\n`;
