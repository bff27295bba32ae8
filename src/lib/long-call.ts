/**
 * A long call: a promise of its result, and the events on the way.
 *
 * 1. The call has begun when it is returned, and continues whether or not anyone observes it.
 * 2. Nothing is kept for callers that do not iterate. An iterator gets events from its own start on.
 * 3. Events that an iterator has not taken wait in a queue. Beyond its limit, droppable events are dropped, and
 *    nothing else is.
 * 4. Leaving an iterator ends the listening, not the work; `abort` and the signal end the work.
 * 5. A rejection reaches those who await or iterate, and nobody else.
 */

export interface Listening {
  /** `start`: all earlier events first; left out: events from now on. */
  readonly from?: 'start' | 'now';
}

/** A running call: a promise of its result, and an iterable of the events until then. */
export interface LongCall<Result, Event> extends Promise<Result>, AsyncIterable<Event> {
  events(listening?: Listening): AsyncIterableIterator<Event>;
  /** Ends the work in an orderly way; the promise says how it ended. */
  abort(reason?: unknown): void;
}

export interface LongWork<Result, Event> {
  /** Does the work; `tell` never throws. */
  work(tell: (event: Event) => void, signal: AbortSignal): Promise<Result>;
  /** Whether an event may be dropped if nobody takes it. */
  mayDrop(event: Event): boolean;
  /** The events for an iterator from the start, where `live` supplies those still to come. */
  replay?(live: AsyncIterableIterator<Event>): AsyncIterableIterator<Event>;
  readonly signal?: AbortSignal | undefined;
  /** How many events may wait for one iterator before some are dropped. */
  readonly bound?: number;
}

const BOUND = 1_000;

export function longCall<Result, Event>(options: LongWork<Result, Event>): LongCall<Result, Event> {
  const { mayDrop, bound = BOUND } = options;
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const listeners = new Set<Queue<Event>>();
  let last: { readonly event: Event } | null = null;
  let end: End | null = null;
  const tell = (event: Event): void => {
    last = { event };
    for (const listener of listeners) listener.push(event);
  };
  const finish = (how: End): void => {
    end = how;
    for (const listener of [...listeners]) listener.end(how);
  };
  // The work begins after the caller's current turn, so that the caller misses no event.
  const promise = Promise.resolve().then(() => options.work(tell, signal));
  promise.then(
    () => finish({ kind: 'done' }),
    (error: unknown) => finish({ kind: 'failed', error }),
  );
  const live = (): AsyncIterableIterator<Event> => {
    const queue = queueOf<Event>(mayDrop, bound, () => listeners.delete(queue));
    if (end === null) listeners.add(queue);
    else {
      // A late listener learns how it ended.
      if (last !== null) queue.push(last.event);
      queue.end(end);
    }
    return queue.iterator;
  };
  const events = ({ from = 'now' }: Listening = {}): AsyncIterableIterator<Event> =>
    from === 'start' && options.replay ? options.replay(live()) : live();
  return Object.assign(promise, {
    events,
    [Symbol.asyncIterator]: () => events(),
    abort: (reason?: unknown) => stop.abort(reason),
  });
}

type End = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly error: unknown };

interface Queue<Event> {
  readonly iterator: AsyncIterableIterator<Event>;
  push(event: Event): void;
  end(how: End): void;
}

interface Taker<Event> {
  readonly take: (result: IteratorResult<Event, undefined>) => void;
  readonly fail: (error: unknown) => void;
}

/** @param leave called once nobody listens any more */
function queueOf<Event>(
  mayDrop: (event: Event) => boolean,
  bound: number,
  leave: () => void,
): Queue<Event> {
  let waiting: Event[] = [];
  /** Never fewer than there are waiting events that may be dropped. */
  let droppable = 0;
  let end: End | null = null;
  const takers: Taker<Event>[] = [];
  const over = { done: true, value: undefined } as const;
  const settle = (): void => {
    for (let taker = takers[0]; taker !== undefined; taker = takers[0]) {
      const event = waiting.shift();
      if (event !== undefined) taker.take({ done: false, value: event });
      else if (end === null) return;
      else if (end.kind === 'done') taker.take(over);
      else {
        // The error is reported once; further calls get the end.
        taker.fail(end.error);
        end = { kind: 'done' };
      }
      takers.shift();
    }
  };
  const iterator: AsyncIterableIterator<Event> = {
    next: () =>
      new Promise((take, fail) => {
        takers.push({ take, fail });
        settle();
      }),
    return: async () => {
      leave();
      waiting = [];
      end = { kind: 'done' };
      settle();
      return over;
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return {
    iterator,
    push: (event) => {
      if (end !== null) return;
      if (waiting.length >= bound) {
        if (mayDrop(event)) return;
        if (droppable > 0) waiting = waiting.filter((one) => !mayDrop(one));
        droppable = 0;
      }
      waiting.push(event);
      if (mayDrop(event)) droppable += 1;
      settle();
    },
    end: (how) => {
      leave();
      end = how;
      settle();
    },
  };
}
