/**
 * What one client gets: everything after the last event it got, from the journal, then from the current turn in memory,
 * then live.
 *
 * 1. No event is lost and none is sent twice.
 * 2. If a turn is requested again after a part of its text was sent, the client learns that as soon as the
 *    run resumes.
 */
import { orNull } from '../../lib/or-null.ts';
import {
  beyond,
  isEarlier,
  type NumberedEvent,
  type RecentEvents,
  seqOf,
} from '../../live/recent-events.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';
import { type Frame, type FrameWriter, frameText } from '../http/frames.ts';
import type { JournalEvents } from './journal-events.ts';

/** How one kind of stream names an event; [] for an event that it does not send. */
export interface Naming {
  (event: StreamEvent): readonly NamedFrame[];
  /**
   * Called when it is unknown how much of the current turn the client has; the rest of the turn is told at
   * its end.
   * @param hasPart true if the client may have a part of it
   */
  lose?(hasPart: boolean): void;
  isLost?(): boolean;
}

export interface NamedFrame extends Omit<Frame, 'id'> {
  /** The frame's position is not sent, so a client that reconnects gets the frame again. */
  readonly isUnplaced?: boolean;
}

/** The last event in its names, since all followers get the same events one after the other. */
export interface LastFrames {
  naming: Naming | null;
  numbered: NumberedEvent | null;
  frames: readonly Buffer[];
}

export const noFrames = (): LastFrames => ({ naming: null, numbered: null, frames: [] });

/** Where a client's stream begins, and in which form. */
export interface StreamStart {
  /** The id of the last event that the client received; `null`: none. */
  readonly after: string | null;
  readonly naming: Naming;
}

const NOTHING = '0.0';
/** The number after all events of a record: a client that knows a record from elsewhere continues there. */
const RECORD_END = 999_999_999;
/** An id of ours. Its mark says that the client's part of the turn is not what was sent up to there. */
const ID = /^(\d{1,12}\.\d{1,9}(?:\+\d{1,12})?)(~?)$/;
const MARK = '~';

export class ClientStream {
  readonly #writer: FrameWriter;
  readonly #naming: Naming;
  readonly #last: LastFrames;
  #lastSent: string;
  /** The id that was sent before the last one. */
  #sentBefore: string;
  /** True if the client sent an id that is not ours. */
  readonly #isForeign: boolean;
  /** True if the client may have a part of an unfinished turn. */
  #hasPart = false;
  /** True if the client knows more than this server, from a process that may still be at work. */
  #isAhead = false;
  /** True if the client's part of the current turn is not what was sent up to its id. */
  #isUnknown: boolean;
  /** True once the end of the run was sent, from the journal or live, and no resume after it. */
  hasEnded = false;
  /** True once the run's end or pause was sent, and no sign of a process after that. */
  isAtRest = false;
  /** True once the run's result was sent after its end or pause; `null`: none of these was sent. */
  #hasResult: boolean | null = null;
  /** The id of the last event that the client had when it connected. */
  #cameWith = NOTHING;

  constructor(writer: FrameWriter, { after, naming }: StreamStart, last = noFrames()) {
    this.#writer = writer;
    this.#naming = naming;
    this.#last = last;
    const [, sent = NOTHING, mark = ''] = ID.exec(after ?? '') ?? [];
    this.#isForeign = after !== null && after !== '' && !ID.test(after);
    this.#lastSent = sent;
    this.#sentBefore = sent;
    this.#isUnknown = mark === MARK;
  }

  /** Sends everything up to this moment. @param join called at that moment: later events go to `event` */
  async catchUp(
    log: RecentEvents,
    journal: JournalEvents,
    { breathe, join }: { breathe(): Promise<void>; join(): void },
  ): Promise<void> {
    this.#check(log, journal);
    this.#cameWith = this.#lastSent;
    this.#recall(log, journal);
    for (;;) {
      const start = log.startFor(this.#lastSent);
      if (!isEarlier(this.#lastSent, start)) break;
      await this.#fromJournal(journal, start, breathe);
      if (this.#writer.gone.aborted) return;
      if (!isEarlier(this.#lastSent, start)) continue;
      this.#lastSent = start;
      // Only the end of the current turn is kept.
      if (!endsRecord(start, journal)) this.lose();
    }
    for (const one of log.after(this.#lastSent)) this.event(one);
    join();
  }

  /** The id belongs to another journal, or to a turn that was cut off. */
  #check(log: RecentEvents, journal: JournalEvents): void {
    const seq = seqOf(this.#lastSent);
    if (this.#lastSent === `${seq}.${RECORD_END}`) this.#lastSent = journal.lastIdOf(seq);
    if (!this.#isForeign && !isEarlier(log.last, this.#lastSent)) return;
    if (!this.#isForeign && seqOf(this.#lastSent) === seqOf(log.last)) {
      this.#isAhead = true;
      this.#isUnknown = true;
      return;
    }
    this.#writer.send({ id: null, event: 'reset', data: {} });
    this.#lastSent = NOTHING;
    this.#isUnknown = false;
  }

  /** Finds out what the client has of the current turn. */
  #recall(log: RecentEvents, journal: JournalEvents): void {
    const last = this.#lastSent;
    const { events, isWhole } = log.upTo(last);
    const before = this.#isUnknown ? [] : events;
    const from = before.findLastIndex(({ event }) => isNoTurn(event));
    const start = isWhole ? log.startFor(null) : last;
    if (this.#isUnknown || (from < 0 && !endsRecord(start, journal))) {
      this.#hasPart = true;
      this.#naming.lose?.(true);
    }
    for (const one of before.slice(Math.max(0, from))) {
      this.#take(one);
      const isShown = this.#naming(one.event).length > 0;
      this.#hasPart ||= isShown && OF_TURN.has(one.event.type);
    }
    this.#lastSent = last;
  }

  /** Notes that a part of the current turn will never come. */
  lose(): void {
    if (this.#naming.lose !== undefined) this.#naming.lose(this.#hasPart);
    else if (this.#hasPart) {
      this.#writer.write(RESTARTED);
      this.#hasPart = false;
    }
  }

  async #fromJournal(
    journal: JournalEvents,
    until: string,
    breathe: () => Promise<void>,
  ): Promise<void> {
    for (const events of journal.after(Math.max(0, seqOf(this.#lastSent) - 1))) {
      const due = events.filter(({ id }) => !isEarlier(until, id));
      // Sent in one piece, because a page has hundreds of events.
      let text = '';
      for (const one of due)
        if (isEarlier(this.#lastSent, one.id))
          text += this.#take(one) + this.#textsOf(one).join('');
      if (text !== '') this.#writer.write(text);
      if (due.length < events.length) return;
      await this.#writer.drained();
      await breathe();
      if (this.#writer.gone.aborted) return;
    }
  }

  event(next: NumberedEvent): void {
    const numbered = this.#isAhead ? beyond(next, this.#lastSent) : next;
    if (numbered === null) return;
    this.#isAhead = false;
    const before = this.#take(numbered);
    if (before !== '') this.#writer.write(before);
    const { type } = numbered.event;
    for (const frame of this.#framesOf(numbered)) {
      const isWritten = this.#writer.write(frame, PIECES.has(type));
      if (isWritten) this.#hasPart ||= OF_TURN.has(type);
      else if (type === 'text_delta') this.#naming.lose?.(this.#hasPart);
    }
  }

  /**
   * True if the client of a run at rest has the run's result, which is in no journal, after its last record.
   */
  hasResult(journal: JournalEvents): boolean {
    return this.#hasResult ?? !endsRecord(this.#cameWith, journal);
  }

  /** Counts an event as sent. Returns what must be sent before it. */
  #take({ id, event }: NumberedEvent): string {
    const isRestart = this.#hasPart && (event.type === 'turn_started' || isResume(event));
    if (isNoTurn(event)) this.#hasPart = false;
    this.#sentBefore = this.#lastSent;
    this.#lastSent = id;
    const record = event.type === 'record' ? event.record.type : '';
    if (record === 'run_finished') this.hasEnded = true;
    if (record === 'run_resumed') this.hasEnded = false;
    if (RESTS.has(record)) this.isAtRest = true;
    if (TAKEN_OVER.has(record)) this.isAtRest = this.hasEnded;
    if (RESTS.has(record) || event.type === 'result') this.#hasResult = record === '';
    return isRestart ? RESTARTED : '';
  }

  #framesOf(numbered: NumberedEvent): readonly Buffer[] {
    const last = this.#last;
    if (last.numbered === numbered && last.naming === this.#naming) return last.frames;
    last.frames = this.#textsOf(numbered).map((text) => Buffer.from(text));
    last.numbered = numbered;
    last.naming = this.#naming;
    return last.frames;
  }

  #textsOf({ id, event: said }: NumberedEvent): readonly string[] {
    const named = this.#naming(said);
    // After the record of a turn comes the part of the turn that was not sent.
    const isEnd = said.type === 'record' && said.record.type === 'turn_finished';
    const isLost = this.#naming.isLost?.() ?? false;
    const isMarked = isLost || (isEnd && this.#naming.isLost !== undefined);
    return named.map(({ event, data, isUnplaced }, at) => {
      const isLast = at === named.length - 1;
      const own = isMarked ? id + MARK : id;
      const before = said.type === 'turn_finished' ? this.#sentBefore + MARK : null;
      return frameText({ id: isUnplaced ? null : isLast ? own : before, event, data });
    });
  }
}

/** True if a new process has taken over: it requests again the turn that the last one had begun to hear. */
const isResume = (event: StreamEvent): boolean =>
  event.type === 'record' && TAKEN_OVER.has(event.record.type);

const RESTS: ReadonlySet<string> = new Set(['run_finished', 'run_paused']);

const TAKEN_OVER: ReadonlySet<string> = new Set(['run_resumed', 'lease_taken']);

/** True if no text sent so far belongs to a later turn, even if no event says that the next turn began. */
export const endsTurn = (event: StreamEvent): boolean =>
  BETWEEN_TURNS.has(event.type === 'record' ? event.record.type : event.type);

/** Events at times when no model answers. */
const BETWEEN_TURNS: ReadonlySet<string> = new Set([
  ...(['turn_started', 'action_intended', 'action_finished', 'tool_result', 'result'] as const),
  ...(['approval_asked', 'approval_given', 'message_ended'] as const),
  ...TAKEN_OVER,
]);

/** True if the client has no part of an unfinished turn after this event. */
const isNoTurn = (event: StreamEvent): boolean => event.type === 'turn_finished' || endsTurn(event);

const endsRecord = (id: string, journal: JournalEvents): boolean =>
  id === NOTHING || orNull(() => journal.lastIdOf(seqOf(id))) === id;

export const RESTART = { event: 'trace', data: { kind: 'turn_restarted', data: {} } } as const;
const RESTARTED = frameText({ id: null, ...RESTART });

const OF_TURN: ReadonlySet<StreamEvent['type']> = new Set([
  ...(['text_delta', 'thinking_delta'] as const),
  ...(['tool_call_started', 'tool_call_arguments', 'tool_call_ready'] as const),
]);

export const PIECES: ReadonlySet<StreamEvent['type']> = new Set([
  'text_delta',
  'thinking_delta',
  'tool_call_arguments',
  'tool_output',
  'prompt_read',
] as const);
