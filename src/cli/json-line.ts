import { jsonText } from '../lib/plain-text.ts';
import type { RunEvent } from '../schema/events.ts';

/** Pure: an event as one line of `--json`. A record stands as itself, without the state it led to. */
export function jsonLine(event: RunEvent): string {
  return `${jsonText(event.type === 'record' ? event.record : event)}\n`;
}
