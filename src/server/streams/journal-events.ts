/**
 * The events of a journal with their ids, from any position on, one page at a time. Nothing is folded: an event says
 * only what its record says.
 */
import { CONVERSATION_FORMAT, RUN_FORMAT } from '../../context-manager/run-format.ts';
import { layoutOfRun } from '../../host/journals/run-place.ts';
import { createBlobStore } from '../../journal/blobs/blobs.ts';
import { readBack } from '../../journal/blobs/offload.ts';
import { type Layout, usableLayout } from '../../journal/layout.ts';
import { JOURNAL_BEGIN, type JournalCursor, readPage } from '../../journal/read-journal.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import { type NumberedEvent, seqOf } from '../../live/recent-events.ts';
import { meaningsOf, recordEvents } from '../../run/stream/bodies.ts';
import { inEnvelope } from '../../run/stream/in-order.ts';
import type { JournalRecord, Located } from '../../schema/records.ts';
import type { BlobRef } from '../../schema/text.ts';
import { layoutOfSession } from '../../sessions/places.ts';

const PAGE = 250;
/** Without folding, the number of messages is unknown. */
const UNKNOWN = { before: null, after: null };

/** A text of a record, or the blob that holds it. */
export type KeptText = string | Pick<BlobRef, 'blob'>;

export interface JournalOf {
  readonly fs: FileSystem;
  /** Absolute real path. */
  readonly workspace: string;
  readonly run: string;
  readonly isChat: boolean;
}

/** `null` if there is no such file, or the system has no inodes. */
const inodeOf = (fs: FileSystem, file: string): number | null =>
  orNull(() => fs.stat(file).inode) || null;

function sightOf(fs: FileSystem, file: string): string {
  const info = orNull(() => fs.stat(file));
  return info === null ? file : `${file} ${info.size} ${info.mtimeMs}`;
}

interface EventPage {
  /** The state of its journal at that time. */
  readonly seen: string;
  readonly at: JournalCursor;
  /** The number of records. */
  readonly count: number;
  readonly events: readonly NumberedEvent[];
  readonly next: JournalCursor;
  readonly isEnd: boolean;
}

export class JournalEvents {
  readonly #of: JournalOf;
  /** The positions at which the pages began. */
  #marks: JournalCursor[] = [JOURNAL_BEGIN];
  #file = '';
  /** Where its journal lies; the journal of another run has another inode. */
  #found: { readonly layout: Layout; readonly inode: number } | null = null;
  /** The last page, as long as its journal has not changed: many followers may join at once. */
  #lastPage: EventPage | null = null;

  constructor(of: JournalOf) {
    this.#of = of;
  }

  /** The events after a record, up to the present; `after`: its seq. */
  *after(seq: number): Generator<readonly NumberedEvent[]> {
    const layout = this.#layout();
    if (layout.history !== this.#file) this.#marks = [JOURNAL_BEGIN];
    this.#file = layout.history;
    let at = this.#marks.findLast((mark) => mark.seq <= seq + 1) ?? JOURNAL_BEGIN;
    for (;;) {
      const { count, events, next, isEnd } = this.#pageBehind(seq, layout, at);
      const last = this.#marks.at(-1) ?? JOURNAL_BEGIN;
      if (count === PAGE && next.seq > last.seq) this.#marks.push(next);
      yield events;
      if (isEnd || count === 0) return;
      at = next;
    }
  }

  #pageBehind(seq: number, layout: Layout, at: JournalCursor): EventPage {
    const isWhole = at.seq > seq;
    const seen = isWhole ? sightOf(this.#of.fs, layout.history) : '';
    const last = this.#lastPage;
    if (isWhole && last?.seen === seen && last.at.offset === at.offset) return last;
    const { records, next, isEnd } = this.#page(layout, at);
    const events = records
      .filter((record) => record.seq > seq)
      .flatMap((record) => this.#numbered(record, layout));
    const page = { seen, at, count: records.length, events, next, isEnd };
    if (isWhole) this.#lastPage = page;
    return page;
  }

  /** One record in full; `null` if there is none. */
  record(seq: number): object | null {
    const layout = this.#layout();
    const at = this.#marks.findLast((mark) => mark.seq <= seq) ?? JOURNAL_BEGIN;
    for (const records of this.#recordsFrom(at, layout)) {
      const found = records.find((record) => record.seq === seq);
      if (found === undefined) continue;
      const { offset: _offset, ...shown } = this.#whole(found, layout);
      return shown;
    }
    return null;
  }

  /** The id of a record's last event: a client with the state up to this record has had that event. */
  lastIdOf(seq: number): string {
    for (const events of this.after(seq - 1)) {
      const last = events.findLast(({ id }) => seqOf(id) === seq);
      if (last !== undefined) return last.id;
    }
    return `${seq}.0`;
  }

  /** All records as stored, one page at a time. */
  records(): Generator<readonly Located[]> {
    return this.#recordsFrom(JOURNAL_BEGIN, this.#layout());
  }

  *#recordsFrom(at: JournalCursor, layout: Layout): Generator<readonly Located[]> {
    for (let page = this.#page(layout, at); ; page = this.#page(layout, page.next)) {
      yield page.records;
      if (page.isEnd || page.records.length === 0) return;
    }
  }

  /** `null` if its blob is lost. */
  textOf(text: KeptText): string | null {
    const store = createBlobStore(this.#of.fs, this.#layout().blobs);
    return typeof text === 'string' ? text : orNull(() => store.read(text.blob).toString('utf8'));
  }

  #page(layout: Layout, at: JournalCursor) {
    const { fs, isChat } = this.#of;
    const format = isChat ? CONVERSATION_FORMAT : RUN_FORMAT;
    return readPage<JournalRecord>({ fs, format }, layout.history, at, PAGE);
  }

  #layout(): Layout {
    const { fs, workspace, run, isChat } = this.#of;
    if (isChat) return layoutOfSession(workspace, run);
    const known = this.#found;
    if (known !== null && inodeOf(fs, known.layout.history) === known.inode) return known.layout;
    const layout = layoutOfRun(fs, usableLayout(fs, workspace), run);
    const inode = inodeOf(fs, layout.history);
    this.#found = inode === null ? null : { layout, inode };
    return layout;
  }

  #numbered(stored: Located, layout: Layout): readonly NumberedEvent[] {
    const meanings = meaningsOf(this.#whole(stored, layout), UNKNOWN);
    return recordEvents(stored, meanings).map((said, at) => ({
      id: `${stored.seq}.${at}`,
      event: inEnvelope(said, this.#of.run),
    }));
  }

  #whole(stored: Located, { blobs }: Layout): Located {
    const store = createBlobStore(this.#of.fs, blobs);
    const textOf = (hash: string): string => Buffer.from(store.read(hash)).toString('utf8');
    // If the blob is lost, the record holds the beginning of the text.
    return (orNull(() => readBack(stored, textOf)) ?? stored) as Located;
  }
}
