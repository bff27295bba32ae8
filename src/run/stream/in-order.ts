/**
 * The order of a stream, of a run or of a conversation. Pure.
 *
 * 1. What is told before the first event is known waits for it.
 * 2. Exactly one event is the last, and nothing is told behind it.
 */
import { STREAM_VERSION } from '../../schema/events/events.ts';
import type { StreamBodyOf, StreamEvent } from '../../schema/events/stream.ts';
import type { EventWithRecord } from './bodies.ts';

export interface InOrder {
  readonly isOver: boolean;
  emit(said: readonly EventWithRecord[]): void;
  /** The first event, and what waited for it; does nothing once it was told. */
  begin(): void;
  /** @param hasOpened false: there is nothing to name, so where nothing waits the last is the only one */
  end(result: StreamBodyOf<'result'>, hasOpened: boolean): void;
}

/** @param run of the run or the conversation that it is about; `null` where there is none yet */
export const inEnvelope = ({ body, seq }: EventWithRecord, run: string | null): StreamEvent => ({
  ...{ v: STREAM_VERSION, run },
  ...(seq === undefined ? {} : { seq }),
  ...body,
});

export function inOrder(
  run: () => string | null,
  first: () => StreamBodyOf<'started'>,
  write: (event: StreamEvent) => void,
): InOrder {
  let waiting: EventWithRecord[] | null = [];
  let isOver = false;
  const send = (said: EventWithRecord): void => write(inEnvelope(said, run()));
  const begin = (): void => {
    if (waiting === null) return;
    const due = waiting;
    waiting = null;
    send({ body: first() });
    for (const said of due) send(said);
  };
  return {
    get isOver() {
      return isOver;
    },
    emit: (all) => {
      for (const said of all) {
        if (waiting === null) send(said);
        else waiting.push(said);
      }
    },
    begin,
    end: (result, hasOpened) => {
      if (isOver) return;
      if (hasOpened || waiting?.length !== 0) begin();
      isOver = true;
      send({ body: result });
    },
  };
}
