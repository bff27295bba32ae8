/**
 * What one client gets: everything after the last event it got, from the journal, then from the current turn in memory,
 * then live.
 *
 * 1. No event is lost and none is sent twice.
 * 2. If a turn is requested again after part of its text was sent, the client is told so as soon as the run resumes.
 */
import { orNull } from '../../lib/or-null.ts';
import { type EventLog, isEarlier, type Numbered, seqOf } from '../../live/event-log.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';
import { type Frame, type FrameWriter, frameText } from '../http/frames.ts';
import type { JournalEvents } from './journal-events.ts';

/** How one kind of stream names an event; [] for an event that it does not send. */
export interface Naming {
  (event: StreamEvent): readonly Named[];
  /** It is not known any more what the client has of the current turn. */
  lose?(): void;
  /** The client has been here before: the connection may have broken between two frames of the next event. */
  resume?(): void;
}

export interface Named extends Omit<Frame, 'id'> {
  /** Its position is not sent, so a client that reconnects gets it again. */
  readonly isUnplaced?: boolean;
}

/** The last event in its names, since all followers get the same events one after the other. */
export interface LastFrames {
  naming: Naming | null;
  numbered: Numbered | null;
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
const ID = /^\d{1,12}\.\d{1,9}(\+\d{1,12})?$/;

export class ClientStream {
  readonly #writer: FrameWriter;
  readonly #naming: Naming;
  readonly #last: LastFrames;
  #lastSent: string;
  /** What the client sent is no id of ours. */
  readonly #isForeign: boolean;
  /** A part of an unfinished turn was sent. */
  #isOpen = false;
  /** The client has more of a turn than is known. */
  #isCutOff = false;
  /** The end of the run was sent, from the journal or live, and no resume after it. */
  hasEnded = false;

  constructor(writer: FrameWriter, { after, naming }: StreamStart, last = noFrames()) {
    this.#writer = writer;
    this.#naming = naming;
    this.#last = last;
    this.#isForeign = after !== null && after !== '' && !ID.test(after);
    this.#lastSent = after !== null && ID.test(after) ? after : NOTHING;
  }

  /** Sends everything up to this moment. @param join called at that moment: later events go to `event` */
  async catchUp(
    log: EventLog,
    journal: JournalEvents,
    { breathe, join }: { breathe(): Promise<void>; join(): void },
  ): Promise<void> {
    this.#check(log);
    this.#recall(log, journal);
    for (;;) {
      const start = log.startFor(this.#lastSent);
      if (!isEarlier(this.#lastSent, start)) break;
      await this.#fromJournal(journal, start, breathe);
      if (this.#writer.gone.aborted) return;
      if (!isEarlier(this.#lastSent, start)) continue;
      this.#lastSent = start;
      // Of the current turn, only the end is held.
      if (!endsRecord(start, journal)) this.#lose();
    }
    for (const one of log.after(this.#lastSent)) this.event(one);
    join();
  }

  /** The id belongs to another journal, or to a turn that was cut off. */
  #check(log: EventLog): void {
    if (!this.#isForeign && !isEarlier(log.last, this.#lastSent)) return;
    if (!this.#isForeign && seqOf(this.#lastSent) === seqOf(log.last)) {
      this.#lastSent = log.last;
      this.#isCutOff = true;
      return;
    }
    this.#writer.send({ id: null, event: 'reset', data: {} });
    this.#lastSent = NOTHING;
  }

  /** Finds out what the client has of the current turn. */
  #recall(log: EventLog, journal: JournalEvents): void {
    const last = this.#lastSent;
    const isHeld = log.startFor(last) === last;
    const before = isHeld && !this.#isCutOff ? [...log.upTo(last)] : [];
    const from = before.findLastIndex(({ event }) => isNoTurn(event));
    const start = isHeld ? log.startFor(null) : last;
    if (from < 0 && (this.#isCutOff || !endsRecord(start, journal))) this.#lose();
    for (const one of before.slice(Math.max(0, from))) {
      this.#take(one);
      this.#naming(one.event);
    }
    this.#lastSent = last;
    if (last !== NOTHING) this.#naming.resume?.();
  }

  #lose(): void {
    this.#isOpen = true;
    this.#naming.lose?.();
  }

  async #fromJournal(
    journal: JournalEvents,
    until: string,
    breathe: () => Promise<void>,
  ): Promise<void> {
    for (const events of journal.after(Math.max(0, seqOf(this.#lastSent) - 1))) {
      const due = events.filter(({ id }) => !isEarlier(until, id));
      // In one piece: a page has hundreds of events.
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

  event(numbered: Numbered): void {
    const before = this.#take(numbered);
    if (before !== '') this.#writer.write(before);
    const isPiece = PIECES.has(numbered.event.type);
    for (const frame of this.#framesOf(numbered)) {
      const isWritten = this.#writer.write(frame, isPiece);
      if (!isWritten && numbered.event.type === 'text_delta') this.#naming.lose?.();
    }
  }

  /** Counts an event as sent. Returns what must be sent before it. */
  #take({ id, event }: Numbered): string {
    const isRestart = this.#isOpen && (event.type === 'turn_started' || isResume(event));
    if (OF_TURN.has(event.type)) this.#isOpen = true;
    if (event.type === 'turn_finished' || endsTurn(event)) this.#isOpen = false;
    this.#lastSent = id;
    const record = event.type === 'record' ? event.record.type : '';
    if (record === 'run_finished') this.hasEnded = true;
    if (record === 'run_resumed') this.hasEnded = false;
    return isRestart ? RESTARTED : '';
  }

  #framesOf(numbered: Numbered): readonly Buffer[] {
    const last = this.#last;
    if (last.numbered === numbered && last.naming === this.#naming) return last.frames;
    last.frames = this.#textsOf(numbered).map((text) => Buffer.from(text));
    last.numbered = numbered;
    last.naming = this.#naming;
    return last.frames;
  }

  #textsOf({ id, event: said }: Numbered): readonly string[] {
    const named = this.#naming(said);
    return named.map(({ event, data, isUnplaced }, at) => {
      const isPlaced = at === named.length - 1 && isUnplaced !== true;
      return frameText({ id: isPlaced ? id : null, event, data });
    });
  }
}

/** A process has taken over: what the last one had begun to hear is asked for again. */
const isResume = (event: StreamEvent): boolean =>
  event.type === 'record' && TAKEN_OVER.has(event.record.type);

const TAKEN_OVER: ReadonlySet<string> = new Set(['run_resumed', 'lease_taken']);

/** Whether the text sent so far is of no later turn, even if no event says that the next turn began. */
export const endsTurn = (event: StreamEvent): boolean =>
  event.type === 'turn_started' || event.type === 'message_ended' || isResume(event);

/** Whether the client has nothing of an unfinished turn. */
const isNoTurn = (event: StreamEvent): boolean =>
  event.type === 'turn_finished' || event.type === 'tool_result' || endsTurn(event);

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
