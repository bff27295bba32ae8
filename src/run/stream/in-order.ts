/**
 * Keeps the events of a run or conversation in order. Pure.
 * 1. Events that arrive before the first event is known wait for it.
 * 2. Exactly one event is the last, and none follows it.
 */
import { STREAM_VERSION } from '../../schema/events/events.ts';
import type { StreamBodyOf, StreamEvent } from '../../schema/events/stream.ts';
import type { EventWithRecord } from './bodies.ts';

export interface InOrder {
  readonly isOver: boolean;
  emit(said: readonly EventWithRecord[]): void;
  /** Sends the first event and then those that waited for it. Further calls do nothing. */
  begin(): void;
  /** @param hasOpened false: no run was opened, so if no event waits the last event is the only one */
  end(result: StreamBodyOf<'result'>, hasOpened: boolean): void;
}

/** @param run the id of the run or conversation; `null` if there is none yet */
export const inEnvelope = ({ body, seq }: EventWithRecord, run: string | null): StreamEvent => ({
  v: STREAM_VERSION,
  run,
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
