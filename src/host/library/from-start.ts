/** Work as a long call: an iterator gets its events from the beginning, and some of them may be dropped. */
import { type LongCall, longCall } from '../../lib/long-call.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';
import { isSignal } from './checked-call.ts';

const PIECES: ReadonlySet<StreamEvent['type']> = new Set([
  'text_delta',
  'thinking_delta',
  'tool_call_arguments',
  'tool_output',
  'prompt_read',
]);

/** A piece of text that later arrives whole, or that is not stored: a slow reader may miss it. */
export const isPiece = ({ type }: StreamEvent): boolean => PIECES.has(type);

/**
 * The first event, then the journal's events, then live events.
 * @param startedBy the first event, if it was sent already
 */
async function* fromStart(
  live: AsyncIterableIterator<StreamEvent>,
  startedBy: () => StreamEvent | null,
  journal: (started: StreamEvent) => Iterable<StreamEvent>,
): AsyncIterableIterator<StreamEvent> {
  try {
    const first = startedBy() ?? (await live.next()).value;
    if (first === undefined) return;
    yield first;
    if (first.type === 'result') return;
    let seen = 0;
    for (const event of journal(first)) {
      yield event;
      seen = event.seq ?? seen;
    }
    for await (const event of live) {
      if (event.seq === undefined || event.seq > seen) yield event;
    }
  } finally {
    await live.return?.();
  }
}

/** @param journal the events in its journal so far */
export function replayedCall<Outcome>(
  signal: unknown,
  work: (tell: (event: StreamEvent) => void, stop: AbortSignal) => Promise<Outcome>,
  journal: (started: StreamEvent) => Iterable<StreamEvent>,
): LongCall<Outcome, StreamEvent> {
  let started: StreamEvent | null = null;
  const startedBy = (): StreamEvent | null => started;
  return longCall<Outcome, StreamEvent>({
    signal: isSignal(signal) ? signal : undefined,
    mayDrop: isPiece,
    work: (tell, stop) => {
      const noted = (event: StreamEvent): void => {
        if (event.type === 'started') started = event;
        tell(event);
      };
      return work(noted, stop);
    },
    replay: (live) => fromStart(live, startedBy, journal),
  });
}
