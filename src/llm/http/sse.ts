// The only reader of server-sent events: the data of each event, and stray lines between them.
import { answerTooLarge, BOUNDS, limitText } from '../wire/bounds.ts';
import { splitIntoLines } from './lines.ts';

export interface SseReading {
  /** Nothing is read after this data, even if the connection stays open. */
  readonly last: string;
  /** Called for each line that is not part of an event. */
  readonly onStray: (line: string) => void;
}

/** Fields of an event that are ignored; a line without a name is a comment. */
const UNREAD = new Set(['', 'event', 'id', 'retry']);

/**
 * The data of each event once it is complete; several `data` lines are joined by line feeds. An event that the stream
 * cuts off is dropped, as the standard requires. Throws a `ProviderError` for an endless event.
 */
export async function* sseData(
  bytes: AsyncIterable<Uint8Array>,
  { last, onStray }: SseReading,
): AsyncGenerator<string> {
  let data: string[] = [];
  let length = 0;
  for await (const line of splitIntoLines(bytes)) {
    if (line === '') {
      const whole = data.join('\n');
      data = [];
      length = 0;
      if (whole !== '') yield whole;
      continue;
    }
    const { field, value } = fieldOf(line);
    if (field === 'data' && value === last) return;
    if (field === 'data') {
      length += value.length + 1;
      if (length > BOUNDS.line)
        throw answerTooLarge(`The answer has an event larger than ${limitText(BOUNDS.line)}`);
      data.push(value);
    } else if (!UNREAD.has(field)) onStray(line);
  }
}

function fieldOf(line: string): { readonly field: string; readonly value: string } {
  const colon = line.indexOf(':');
  return colon < 0
    ? { field: line, value: '' }
    : { field: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, '') };
}
