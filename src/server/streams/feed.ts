/**
 * The events of one run or conversation for all followers: from the process at work, else from its journal.
 *
 * 1. Every event is reported once, in the order of the ids; what the channel repeats after a break is skipped.
 * 2. It runs as long as somebody follows, and a little longer.
 */
import type { Following, LiveNote, OpenQuestion } from '../../host/live/live-port.ts';
import { isEarlier, type NumberedEvent, RecentEvents, seqOf } from '../../live/recent-events.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';
import type { ServerPlace } from '../place.ts';
import { type LastFrames, noFrames } from './client-stream.ts';
import { JournalEvents, type JournalOf } from './journal-events.ts';
import { Wakes } from './wakes.ts';

export interface FeedListener {
  event(numbered: NumberedEvent): void;
  /** Called when a part of the current turn will never come. */
  lost(): void;
  question(question: OpenQuestion): void;
  settled(id: string): void;
  /** Reports whether somebody works on it. */
  works(isWorking: boolean): void;
  /** Called when something is known to have changed. */
  woken?(): void;
}

/** Hears nothing, but keeps the feed running. */
export const SILENT: FeedListener = {
  event: () => {},
  lost: () => {},
  question: () => {},
  settled: () => {},
  works: () => {},
};

const POLL_MS = 250;
const IDLE_MS = 30_000;
/** How long to wait for a channel that a note names; a dead process has no note. */
const CONNECT_MS = 15_000;

export type FeedOf = Omit<JournalOf, 'fs'>;

/** The record of the event itself is read again: a break may separate it from its other events. */
const recordBefore = (id: string): number => Math.max(0, seqOf(id) - 1);

type FeedPlace = Pick<ServerPlace, 'fs' | 'clock' | 'live'>;

export class RunFeed {
  readonly journal: JournalEvents;
  readonly questions = new Map<string, OpenQuestion>();
  readonly last: LastFrames = noFrames();
  readonly #place: FeedPlace;
  readonly of: FeedOf;
  readonly #listeners = new Set<FeedListener>();
  readonly #stop = new AbortController();
  readonly ready: Promise<RecentEvents>;
  readonly #wakes = new Wakes();
  readonly #changed: () => void;
  #log: RecentEvents | null = null;
  /** The last event of the process at work when the connection to it began. */
  #last = '';
  #isBegun = false;
  #begin: (log: RecentEvents) => void = () => {};
  #following: Following | null = null;
  #isWorking = false;
  #idleSince: number;

  /**
   * @param ended called when nobody follows any more
   * @param changed called when the process reports another standing
   */
  constructor(place: FeedPlace, of: FeedOf, ended: () => void, changed: () => void = () => {}) {
    this.#place = place;
    this.of = of;
    this.#changed = changed;
    this.#idleSince = place.clock.monotonic();
    this.journal = new JournalEvents({ fs: place.fs, ...of });
    this.ready = new Promise((resolve) => {
      this.#begin = resolve;
    });
    void this.#work().finally(ended);
  }

  get isWorking(): boolean {
    return this.#isWorking;
  }

  /** Follows from now on; returns a function that ends it. */
  join(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      this.touch();
    };
  }

  /** Keeps it running for a while even without followers. */
  touch(): void {
    this.#idleSince = this.#place.clock.monotonic();
  }

  close(): void {
    this.#stop.abort();
  }

  /** The connection to the process at work; `null`: none that listens. */
  async connected(): Promise<Following | null> {
    const { clock } = this.#place;
    const until = clock.monotonic() + CONNECT_MS;
    while (this.#following === null && this.#note() !== null && clock.monotonic() < until)
      await clock.sleep(20);
    return this.#following;
  }

  async #work(): Promise<void> {
    const { signal } = this.#stop;
    const { clock } = this.#place;
    while (!signal.aborted && !this.#isIdle()) {
      const note = this.#note();
      if (note !== null) await this.#follow(note);
      await this.read();
      await this.#wakes.pause(clock, POLL_MS, signal);
    }
  }

  /** Wakes the feed, because something has changed. */
  wake(): void {
    this.touch();
    this.#wakes.wake();
    for (const listener of this.#listeners) listener.woken?.();
  }

  #isIdle(): boolean {
    return this.#listeners.size === 0 && this.#place.clock.monotonic() - this.#idleSince > IDLE_MS;
  }

  #note(): LiveNote | null {
    const { run, workspace } = this.of;
    const notes = this.#place.live.all();
    const found = notes.find((note) => note.run === run && note.workspace === workspace);
    return found === undefined || found.address === null ? null : found;
  }

  async #follow(note: LiveNote): Promise<void> {
    const after = this.#log?.last;
    const broken = new AbortController();
    const following = await this.#place.live.follow({
      note,
      isChat: this.of.isChat,
      answers: false,
      signal: AbortSignal.any([this.#stop.signal, broken.signal]),
      ...(after === undefined ? {} : { after }),
      observer: {
        past: () => {},
        missed: () => {},
        begins: (from, last) => {
          try {
            this.#connect(from, last);
          } catch {
            // The journal is unreadable at this moment: without what is in between, nothing may follow.
            broken.abort();
          }
        },
        receive: (id, event) => this.#tell({ id, event }),
        question: (question) => {
          this.questions.set(question.id, question);
          for (const listener of this.#listeners) listener.question(question);
          this.#changed();
        },
        settled: (id) => this.#settled(id),
      },
    });
    if (typeof following === 'string') return;
    this.#following = following;
    this.#works(true);
    await following.closed;
    this.#following = null;
    for (const id of [...this.questions.keys()]) this.#settled(id);
    this.#works(false);
  }

  /** Events that arrive come after `from`, at once up to `last`; those in between are in the journal. */
  #connect(from: string, last: string): void {
    if (this.#log === null) this.#log = new RecentEvents(from);
    else this.#catchUp(this.#log.last, from);
    this.#last = last;
    this.#beginIfWhole();
  }

  #catchUp(after: string, until: string): void {
    if (!isEarlier(after, until)) return;
    for (const events of this.journal.after(recordBefore(after))) {
      for (const one of events) if (!isEarlier(until, one.id)) this.#tell(one, true);
    }
    if (this.#log?.skip(until) !== true) return;
    for (const listener of this.#listeners) listener.lost();
  }

  /**
   * Begins once the journal is read as a whole: before that, the id of a client from before the server's
   * start would seem to be of the future.
   */
  #beginIfWhole(): void {
    if (this.#log !== null && !isEarlier(this.#log.last, this.#last)) this.#beginWith(this.#log);
  }

  #beginWith(log: RecentEvents): void {
    this.#isBegun = true;
    this.#begin(log);
  }

  /** Reads what the journal has gained meanwhile. */
  async read(): Promise<void> {
    const { clock } = this.#place;
    try {
      let last = this.#log?.last ?? '0.0';
      for (const events of this.journal.after(recordBefore(last))) {
        last = events.at(-1)?.id ?? last;
        if (this.#log !== null) for (const one of events) this.#tell(one, true);
        await clock.breathe?.();
      }
      this.#log ??= new RecentEvents(last);
      this.#beginWith(this.#log);
    } catch {
      // The journal is missing or unreadable at this moment; it is tried again.
      if (this.#log === null && this.#stop.signal.aborted) this.#begin(new RecentEvents(0));
    }
  }

  /** Adds an event that is in no journal, and that no process reported here. */
  add(event: StreamEvent): void {
    const numbered = this.#log?.append(event);
    if (numbered === undefined) return;
    for (const listener of this.#listeners) listener.event(numbered);
  }

  /**
   * @param isStored true if it comes from the journal: events before it that were not journalled are missing
   */
  #tell(numbered: NumberedEvent, isStored = false): void {
    if (this.#log?.keep(numbered, isStored) !== true) return;
    for (const listener of this.#listeners) listener.event(numbered);
    if (numbered.event.type === 'message_ended') this.#changed();
    if (!this.#isBegun) this.#beginIfWhole();
  }

  #settled(id: string): void {
    if (!this.questions.delete(id)) return;
    for (const listener of this.#listeners) listener.settled(id);
    this.#changed();
  }

  #works(isWorking: boolean): void {
    this.#isWorking = isWorking;
    for (const listener of this.#listeners) listener.works(isWorking);
    this.#changed();
  }
}
