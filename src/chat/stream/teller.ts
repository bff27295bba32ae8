/**
 * The messages of one open conversation, each as a stream of its own.
 *
 * 1. One message is told at a time.
 * 2. What happens between two messages, and what opening brought, stands at the beginning of the next one.
 */
import { errorFacts } from '../../host/error-facts.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { errorBody } from '../../run/stream/result-body.ts';
import type { SessionEmit, SessionEvent } from '../../schema/chat-events.ts';
import type { ChatState } from '../../schema/chat-state.ts';
import { STREAM_VERSION } from '../../schema/events.ts';
import type { StreamEvent } from '../../schema/stream.ts';
import { reduceChat } from '../fold/fold.ts';
import type { Sent, Session } from '../session.ts';
import { saidInSession } from './bodies.ts';
import { narrateSession, type SessionNarrator, type SessionPlace } from './narrator.ts';
import { type MessageOutcome, messageResult, outcomeOf } from './result.ts';

export interface MessageTeller {
  /** For the session, from its opening on. */
  readonly observe: SessionEmit;
  /** Works on one message and tells its events. */
  message(
    session: Session,
    write: (event: StreamEvent) => void,
    work: () => Promise<Sent>,
  ): Promise<MessageOutcome>;
  /** What the journal tells of these records. */
  told(session: Session, span: Span): Iterable<StreamEvent>;
}

/** Numbers of the first record and the last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export function messageTeller(place: SessionPlace): MessageTeller {
  const { workspace, monotonic } = place;
  let waiting: SessionEvent[] = [];
  let now: SessionNarrator | null = null;
  const observe = (event: SessionEvent): void => {
    if (now === null) waiting.push(event);
    else now.tell(event);
  };
  /** The first event, and what waited for it. */
  const begin = (session: Session): void => {
    const due = waiting;
    waiting = [];
    for (const event of due) observe(event);
    if (!due.some(({ type }) => type === 'begun')) session.announce(true);
  };
  return {
    observe,
    message: async (session, write, work) => {
      const narrator = narrateSession({ ...place, session: session.id }, write);
      try {
        if (now !== null) throw isBusy();
        now = narrator;
        if (!session.isClosed) begin(session);
        const before = session.state.usage.cost;
        const from = monotonic();
        const sent = await work();
        const facts = { elapsedMs: monotonic() - from, workspace, resume: null };
        const body = messageResult(sent, session.state, { ...facts, costBefore: before });
        narrator.end(body);
        return outcomeOf(sent, body);
      } catch (error) {
        narrator.end(errorBody(errorFacts(error), null));
        throw error;
      } finally {
        if (now === narrator) now = null;
      }
    },
    told: (session, span) => toldIn(session, span),
  };
}

const isBusy = (): TardigradeError =>
  new TardigradeError(
    'E_USAGE',
    'The session works on a message.',
    'Wait for it, or open another session.',
  );

function* toldIn(session: Session, { from, to }: Span): Generator<StreamEvent> {
  let state: ChatState | null = null;
  for (const { stored, record } of session.records()) {
    const messages: number = state?.conversation.length ?? 0;
    const turn: number = (state?.counters.turns ?? 0) + 1;
    state = reduceChat(state, stored);
    if (stored.seq < from) continue;
    if (stored.seq > to) return;
    const event = { type: 'record', record: stored, whole: record, state } as const;
    const before = { turn, messages, tookMs: () => undefined };
    for (const { body, seq } of saidInSession(event, before))
      yield {
        ...{ v: STREAM_VERSION, session: state.session },
        ...(seq === undefined ? {} : { seq }),
        ...body,
      };
  }
}
