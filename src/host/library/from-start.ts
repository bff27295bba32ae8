/** Work as a long call: what an iterator gets that begins with the beginning, and what of it may be lost. */
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

/** A piece of what is told whole behind it, or kept by nobody: who does not take it may miss it. */
export const isPiece = ({ type }: StreamEvent): boolean => PIECES.has(type);

/**
 * The first event, then what the journal tells, then what is told from now on.
 * @param startedBy the first event, where it was told already
 */
async function* fromStart(
  live: AsyncIterableIterator<StreamEvent>,
  startedBy: () => StreamEvent | null,
  journal: () => Iterable<StreamEvent>,
): AsyncIterableIterator<StreamEvent> {
  try {
    const first = startedBy() ?? (await live.next()).value;
    if (first === undefined) return;
    yield first;
    if (first.type === 'result') return;
    let seen = 0;
    for (const event of journal()) {
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

/** @param journal what the journal tells of it so far */
export function replayedCall<Outcome>(
  signal: unknown,
  work: (tell: (event: StreamEvent) => void, stop: AbortSignal) => Promise<Outcome>,
  journal: () => Iterable<StreamEvent>,
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
