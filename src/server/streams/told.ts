/**
 * What one client hears: everything behind the event that it heard last, from the journal, then from the turn that
 * is kept in memory, then as it comes.
 *
 * 1. Nothing is missed and nothing comes twice.
 * 2. Where a turn is asked for again whose text was heard, it is said before its first event.
 */
import { type EventLog, isEarlier, type Numbered, seqOf } from '../../live/event-log.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';
import { type Frame, type FrameWriter, frameText } from '../http/frames.ts';
import type { JournalEvents } from './journal-events.ts';

/** How one kind of stream names an event; [] for what it does not tell. */
export type Naming = (event: StreamEvent) => readonly Named[];

export interface Named extends Omit<Frame, 'id'> {
  /** The place of it is not told: a client that comes back is given it again. */
  readonly isUnplaced?: true;
}

/** What was told last, in its names: those who follow are told the same one after the other. */
export interface LastTold {
  naming: Naming | null;
  numbered: Numbered | null;
  frames: readonly Buffer[];
}

export const nothingTold = (): LastTold => ({ naming: null, numbered: null, frames: [] });

export interface HeardBefore {
  /** `null`: nothing. */
  readonly after: string | null;
  readonly naming: Naming;
}

const NOTHING = '0.0';
const ID = /^\d{1,12}\.\d{1,9}(\+\d{1,12})?$/;

export class Told {
  readonly #writer: FrameWriter;
  readonly #naming: Naming;
  readonly #last: LastTold;
  #heard: string;
  /** Text of a turn was heard that has not ended. */
  #isOpen: boolean;
  /** The end of the run was told, from the journal or as it came. */
  hasEnded = false;

  constructor(writer: FrameWriter, { after, naming }: HeardBefore, last = nothingTold()) {
    this.#writer = writer;
    this.#naming = naming;
    this.#last = last;
    this.#heard = after !== null && ID.test(after) ? after : NOTHING;
    this.#isOpen = this.#heard.includes('+');
  }

  /** Up to what is told at this moment. @param join in that moment: what comes behind it is for `event` */
  async catchUp(
    log: EventLog,
    journal: JournalEvents,
    { breathe, join }: { breathe(): Promise<void>; join(): void },
  ): Promise<void> {
    this.#check(log);
    for (;;) {
      const start = log.startFor(this.#heard);
      if (!isEarlier(this.#heard, start)) break;
      await this.#fromJournal(journal, start, breathe);
      if (isEarlier(this.#heard, start)) this.#heard = start;
      if (this.#writer.gone.aborted) return;
    }
    for (const one of log.after(this.#heard)) this.event(one);
    join();
  }

  /** An id of another journal, or of a turn that was cut off. */
  #check(log: EventLog): void {
    if (!isEarlier(log.last, this.#heard)) return;
    if (seqOf(this.#heard) === seqOf(log.last)) {
      this.#heard = log.last;
      return;
    }
    this.#writer.send({ id: null, event: 'reset', data: {} });
    this.#heard = NOTHING;
    this.#isOpen = false;
  }

  async #fromJournal(
    journal: JournalEvents,
    until: string,
    breathe: () => Promise<void>,
  ): Promise<void> {
    for (const events of journal.after(Math.max(0, seqOf(this.#heard) - 1))) {
      for (const one of events) {
        if (isEarlier(until, one.id)) return;
        if (isEarlier(this.#heard, one.id)) this.event(one);
      }
      await this.#writer.drained();
      await breathe();
      if (this.#writer.gone.aborted) return;
    }
  }

  event(numbered: Numbered): void {
    const { id, event } = numbered;
    const isPiece = PIECES.has(event.type);
    if (event.type === 'turn_started' && this.#isOpen) {
      const data = { kind: 'turn_restarted', data: {} };
      this.#writer.send({ id: null, event: 'trace', data });
    }
    if (event.type === 'text_delta' || event.type === 'thinking_delta') this.#isOpen = true;
    if (event.type === 'turn_started' || event.type === 'turn_finished') this.#isOpen = false;
    this.#heard = id;
    this.hasEnded ||= event.type === 'record' && event.record.type === 'run_finished';
    for (const frame of this.#framesOf(numbered)) this.#writer.write(frame, isPiece);
  }

  #framesOf(numbered: Numbered): readonly Buffer[] {
    const last = this.#last;
    if (last.numbered === numbered && last.naming === this.#naming) return last.frames;
    const named = this.#naming(numbered.event);
    last.frames = named.map(({ event, data, isUnplaced }, at) => {
      // A cut between two frames of one event brings both again.
      const isPlaced = at === named.length - 1 && isUnplaced !== true;
      return Buffer.from(frameText({ id: isPlaced ? numbered.id : null, event, data }));
    });
    last.numbered = numbered;
    last.naming = this.#naming;
    return last.frames;
  }
}

export const PIECES: ReadonlySet<StreamEvent['type']> = new Set([
  'text_delta',
  'thinking_delta',
  'tool_call_arguments',
  'tool_output',
  'prompt_read',
] as const);
