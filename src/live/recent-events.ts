/**
 * The events of one run or conversation since its channel opened, each with an id, for clients that join late or
 * reconnect.
 *
 * 1. Ids only grow. `SEQ.N` is the N-th event after the record SEQ; for a piece of text `+LENGTH` is how many
 *    of its characters had arrived by then.
 * 2. Pieces of one text form one entry, so a client that reconnects gets exactly the rest of it.
 * 3. The oldest events are dropped first; a record is dropped with all its events. Records remain in the journal.
 */
import type { StreamEvent, StreamEventOf } from '../schema/events/stream.ts';

type Piece = StreamEventOf<'text_delta' | 'thinking_delta' | 'tool_call_arguments' | 'tool_output'>;

interface EventPosition {
  readonly seq: number;
  readonly at: number;
  /** Characters of a piece; 0 for every other event, and for a piece of which nothing was seen. */
  readonly length: number;
}

interface Entry {
  readonly seq: number;
  readonly at: number;
  event: StreamEvent;
  /** Characters dropped from the beginning of a piece. */
  cut: number;
  size: number;
  /** True if events before this one, which are in no journal, may be missing. */
  readonly isAfterGap: boolean;
}

export interface NumberedEvent {
  readonly id: string;
  readonly event: StreamEvent;
}

/** Characters, in the form that is sent. */
const MAX_HELD = 1_000_000;

export class RecentEvents {
  readonly #most: number;
  #entries: Entry[] = [];
  #size = 0;
  /** Events up to this position are not held. */
  #from: EventPosition;
  #last: EventPosition;

  /** @param before the last record sent before, or the id of the last event */
  constructor(before: number | string, most = MAX_HELD) {
    this.#most = most;
    const seq = typeof before === 'number' ? before : 0;
    this.#last = (typeof before === 'string' ? placeIn(before) : null) ?? { seq, at: 0, length: 0 };
    this.#from = this.#last;
  }

  get last(): string {
    return idOf(this.#last);
  }

  /**
   * Adds an event that another process has numbered; false if it was added before.
   * @param isAfterGap whether events before it may be missing
   */
  keep({ id, event }: NumberedEvent, isAfterGap = false): boolean {
    const place = placeIn(id);
    if (place === null || !isBefore(this.#last, place)) return false;
    const { seq, at } = this.#last;
    const isOpen = seq === place.seq && at === place.at && isPiece(event);
    if (!isOpen || this.#continued(event) === null) this.#enter(event, place, isAfterGap);
    this.#last = place;
    this.#drop();
    return true;
  }

  /** Continues after a later event: what is in between never arrived. False if there is nothing in between. */
  skip(id: string): boolean {
    const place = placeIn(id);
    if (place === null || !isBefore(this.#last, place)) return false;
    this.#entries = [];
    this.#size = 0;
    this.#from = place;
    this.#last = place;
    return true;
  }

  /** The event in the form for clients that have all earlier ones. */
  append(event: StreamEvent): NumberedEvent {
    const entry = this.#continued(event) ?? this.#begun(event);
    this.#last = placeOf(entry);
    this.#drop();
    return { id: idOf(this.#last), event };
  }

  #continued(event: StreamEvent): Entry | null {
    const open = this.#entries.at(-1);
    if (open === undefined || !isPiece(event) || !isPiece(open.event)) return null;
    if (!isSame(open.event, event)) return null;
    open.event = { ...open.event, text: open.event.text + event.text };
    open.size += event.text.length;
    this.#size += event.text.length;
    return open;
  }

  #begun(event: StreamEvent): Entry {
    const { seq, at } = this.#last;
    const isNext = event.seq !== undefined && event.seq !== seq;
    return this.#enter(event, { seq: event.seq ?? seq, at: isNext ? 0 : at + 1, length: 0 });
  }

  #enter(event: StreamEvent, { seq, at, length }: EventPosition, isAfterGap = false): Entry {
    // If the beginning of a piece never arrived, only the rest is kept.
    const cut = isPiece(event) ? Math.max(0, length - event.text.length) : 0;
    const entry = { seq, at, event, cut, size: JSON.stringify(event).length, isAfterGap };
    this.#entries.push(entry);
    this.#size += entry.size;
    return entry;
  }

  /** Where the events for a client that asks for `after` begin: there, or at the oldest event held. */
  startFor(after: string | null): string {
    const asked = placeIn(after);
    const isHeld = asked !== null && !isBefore(asked, this.#from) && !isBefore(this.#last, asked);
    return idOf(isHeld ? asked : this.#from);
  }

  /** All events after an id that `startFor` returned. */
  *after(id: string): Generator<NumberedEvent> {
    const start = placeIn(id) ?? this.#from;
    for (const entry of this.#entries) {
      const place = placeOf(entry);
      if (!isBefore(start, place)) continue;
      const isBegun = entry.seq === start.seq && entry.at === start.at;
      yield { id: idOf(place), event: restOf(entry, isBegun ? start.length : 0) };
    }
  }

  /**
   * The events up to that one, from the last gap on; `isWhole`: there is no gap since the log began. There
   * are none for an id that is not held, which may be of another process.
   */
  upTo(id: string): { readonly events: readonly NumberedEvent[]; readonly isWhole: boolean } {
    const end = placeIn(id) ?? NOWHERE;
    const isEnd = ({ seq, at, length }: EventPosition): boolean =>
      seq === end.seq && at === end.at && end.length <= length;
    const isHeld = !isBefore(end, this.#from);
    const last = this.#entries.findIndex((entry) => isHeld && isEnd(placeOf(entry)));
    if (last < 0) return { events: [], isWhole: isHeld && isEnd(this.#from) };
    const before = this.#entries.slice(0, last + 1);
    const gap = before.findLastIndex(({ isAfterGap }) => isAfterGap);
    const events = before.slice(Math.max(0, gap)).map((entry) => {
      const { event, cut } = entry;
      if (entry !== before.at(-1) || !isPiece(event)) return { id: idOf(placeOf(entry)), event };
      return { id, event: { ...event, text: event.text.slice(0, end.length - cut) } };
    });
    return { events, isWhole: gap < 0 };
  }

  /** Invariant 3. The end of the newest entry is kept. */
  #drop(): void {
    let gone = 0;
    let of: number | undefined;
    for (const entry of this.#entries.slice(0, -1)) {
      const { event, size } = entry;
      const isWithOther = gone > 0 && event.seq !== undefined && event.seq === of;
      if (this.#size <= this.#most && !isWithOther) break;
      this.#size -= size;
      this.#from = placeOf(entry);
      of = event.seq;
      gone += 1;
    }
    if (gone > 0) this.#entries = this.#entries.slice(gone);
    const [first] = this.#entries;
    if (first === undefined || this.#size <= this.#most || !isPiece(first.event)) return;
    // A single endless text keeps its end: half of the limit.
    const away = first.event.text.length - Math.floor(this.#most / 2);
    // Written out in JSON, a text may take several times its length.
    if (away <= 0) return;
    first.event = { ...first.event, text: first.event.text.slice(away) };
    first.cut += away;
    first.size -= away;
    this.#size -= away;
    this.#from = { seq: first.seq, at: first.at, length: first.cut };
  }
}

/** The part of an event, with all characters of a piece, that lies after an id; `null`: nothing. */
export function beyond({ id, event }: NumberedEvent, after: string): NumberedEvent | null {
  const [one, other] = [placeIn(id) ?? NOWHERE, placeIn(after) ?? NOWHERE];
  if (!isBefore(other, one)) return null;
  if (one.seq !== other.seq || one.at !== other.at || !isPiece(event)) return { id, event };
  return { id, event: { ...event, text: event.text.slice(other.length - one.length) } };
}

/** The event without its first `seen` characters. */
function restOf({ event, cut }: Entry, seen: number): StreamEvent {
  return isPiece(event) && seen > cut ? { ...event, text: event.text.slice(seen - cut) } : event;
}

const isPiece = (event: StreamEvent): event is Piece =>
  event.type === 'text_delta' ||
  event.type === 'thinking_delta' ||
  event.type === 'tool_call_arguments' ||
  event.type === 'tool_output';

/** The arguments of two calls are two texts. */
const isSame = (one: Piece, other: Piece): boolean =>
  one.type === other.type && !('index' in one && 'index' in other && one.index !== other.index);

const placeOf = ({ seq, at, event, cut }: Entry): EventPosition => ({
  seq,
  at,
  length: isPiece(event) ? cut + event.text.length : 0,
});

const idOf = ({ seq, at, length }: EventPosition): string =>
  `${seq}.${at}${length === 0 ? '' : `+${length}`}`;

/** `null` for `null`, and for a string that is not an id. */
function placeIn(id: string | null): EventPosition | null {
  const [, seq, at, length = '0'] = /^(\d+)\.(\d+)(?:\+(\d+))?~?$/.exec(id ?? '') ?? [];
  if (seq === undefined || at === undefined) return null;
  return { seq: Number(seq), at: Number(at), length: Number(length) };
}

export const seqOf = (id: string): number => placeIn(id)?.seq ?? 0;

/** Whether one event came before another; a string that is not an id comes first. */
export const isEarlier = (one: string, other: string): boolean =>
  isBefore(placeIn(one) ?? NOWHERE, placeIn(other) ?? NOWHERE);

const NOWHERE: EventPosition = { seq: 0, at: 0, length: 0 };

const isBefore = (one: EventPosition, other: EventPosition): boolean =>
  one.seq !== other.seq
    ? one.seq < other.seq
    : one.at !== other.at
      ? one.at < other.at
      : one.length < other.length;
