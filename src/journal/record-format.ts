/**
 * What a journal must be told of the records it keeps. A run and a conversation each bring their
 * own; the journal itself knows lines, checksums, blobs and nothing else.
 */
import type { StampedRecord } from '../schema/journal/stamp.ts';
import type { StateFolder } from './layout.ts';

export interface AnyRecord {
  readonly type: string;
}

export type ParsedRecord<R> =
  | { readonly kind: 'record'; readonly record: StampedRecord<R> }
  /** Written by a newer version and marked as safe to pass over. */
  | { readonly kind: 'skipped'; readonly seq: number }
  | { readonly kind: 'unknown'; readonly why: string };

/** Reads a value whose checksum held: what does not fit is the work of another version, no damage. */
export type ParseRecord<R> = (value: object) => ParsedRecord<R>;

export type Path = readonly PropertyKey[];

/** Where a record in its stored form does not fit its schema. */
export interface Misfit {
  readonly path: Path;
  readonly message: string;
}

/** What the first record of a journal says of all of it. */
export interface JournalHeader {
  readonly id: string;
  /** Of its records; a higher one than the program knows is refused with E_TOO_NEW. */
  readonly format: number;
  /** Equal for journals that are about the same thing. */
  readonly key: string;
  /** For people. */
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** What people call it by, where it was given one. */
  readonly number?: number | undefined;
  /** It is in no list, and does not stay for ever. */
  readonly isOnce?: boolean | undefined;
}

/** How far a journal has come, by its last record that says anything about it. */
export type JournalEnd<Ending extends string = string> = Ending | null | 'says_nothing';

/** Bytes of the journal that stay and cannot be read. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** How many records stood there. */
  readonly records: number;
}

export interface Bridge {
  readonly spans: readonly Span[];
  /** sha256 of the blob with the state before that record. */
  readonly state: string;
}

export interface RecordFormat<R extends AnyRecord> {
  /** The newest format this program reads, and the one it writes: every line carries it. */
  readonly newest: number;
  /** The type of the record that every journal begins with. */
  readonly firstType: string;
  readonly parse: ParseRecord<R>;
  /** Empty when it fits. */
  misfits(stored: unknown): readonly Misfit[];
  /** `null` for a record that is not the first one. */
  header(record: R): JournalHeader | null;
  /** True for the promise of an effect: it is never written from the bytes held back for the end. */
  isPromise(record: R): boolean;
  /** Of a record that a repair wrote about bytes which nobody can read; `null` for any other. */
  bridge?(record: R): Bridge | null;
  /** Of the envelope of one line, as its JSON says it. */
  ending(record: AnyRecord): JournalEnd;
}

export interface JournalFolder<R extends AnyRecord = AnyRecord> extends StateFolder {
  readonly format: RecordFormat<R>;
}
