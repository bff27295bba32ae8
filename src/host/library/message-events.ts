/**
 * The messages of one open conversation, each as a stream of its own.
 *
 * 1. One message is reported at a time.
 * 2. Events between two messages, and those of opening, come at the beginning of the next message.
 */

import { replayRecords } from '../../context-manager/read-records.ts';
import { createNarrator, type Narrator, narrateRecords } from '../../run/stream/narrator.ts';
import { errorBody } from '../../run/stream/result-body.ts';
import type { SessionEmit, SessionEvent } from '../../schema/events/events.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';
import {
  type MessageOutcome,
  messageOutcomeOf,
  messageResult,
} from '../../sessions/message-result.ts';
import type { Sent } from '../../sessions/sent.ts';
import { type Session, worksOnAMessage } from '../../sessions/session.ts';
import { errorFacts } from '../error-facts.ts';

export interface MessageEvents {
  /** Observes the session, from its opening on. */
  readonly observe: SessionEmit;
  /** Works on one message and reports its events. */
  message(
    session: Session,
    write: (event: StreamEvent) => void,
    work: () => Promise<Sent>,
  ): Promise<MessageOutcome>;
  /** The events that the journal holds for these records. */
  eventsOf(session: Session, span: RecordRange): Iterable<StreamEvent>;
}

/** The numbers (`seq`) of the first and the last record. */
export interface RecordRange {
  readonly from: number;
  readonly to: number;
}

/** @param monotonic milliseconds */
export function messageEvents(workspace: string, monotonic: () => number): MessageEvents {
  let waiting: SessionEvent[] = [];
  let now: Narrator | null = null;
  const observe = (event: SessionEvent): void => {
    if (now === null) waiting.push(event);
    else now.emit(event);
  };
  /** The first event, and the events that waited for it. */
  const begin = (session: Session): void => {
    const due = waiting;
    waiting = [];
    for (const event of due) observe(event);
    if (!due.some(({ type }) => type === 'begun')) session.announce(true);
  };
  return {
    observe,
    message: async (session, write, work) => {
      const narrator = createNarrator({ workspace, run: session.id }, write);
      try {
        if (now !== null) throw worksOnAMessage();
        now = narrator;
        if (!session.isClosed) begin(session);
        const before = session.state.usage.cost;
        const from = monotonic();
        const sent = await work();
        const facts = { elapsedMs: monotonic() - from, workspace, resume: null };
        const body = messageResult(sent, session.state, { ...facts, costBefore: before });
        narrator.end(body);
        return messageOutcomeOf(sent, body);
      } catch (error) {
        narrator.end(errorBody(errorFacts(error), null));
        throw error;
      } finally {
        if (now === narrator) now = null;
      }
    },
    eventsOf: eventsIn,
  };
}

function* eventsIn(session: Session, { from, to }: RecordRange): Generator<StreamEvent> {
  for (const event of narrateRecords(replayRecords(session.records()))) {
    const { seq = 0 } = event;
    if (seq > to) return;
    if (seq >= from) yield event;
  }
}
