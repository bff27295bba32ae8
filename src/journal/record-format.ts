/**
 * What a journal needs to know about its records. Runs and conversations each supply a format; the journal
 * itself knows only lines, checksums and blobs.
 */
import type { StampedRecord } from '../schema/journal/stamp.ts';
import type { StateFolder } from './layout.ts';

export interface AnyRecord {
  readonly type: string;
}

export type ParsedRecord<R> =
  | { readonly kind: 'record'; readonly record: StampedRecord<R> }
  /** Written by a newer version and marked as safe to skip. */
  | { readonly kind: 'skipped'; readonly seq: number }
  | { readonly kind: 'unknown'; readonly why: string };

/** Parses a value whose checksum held. A value that does not fit comes from another version and is not damage. */
export type ParseRecord<R> = (value: object) => ParsedRecord<R>;

export type FieldPath = readonly PropertyKey[];

/** A place where a record in its stored form does not fit its schema. */
export interface Misfit {
  readonly path: FieldPath;
  readonly message: string;
}

/** What the first record says about the whole journal. */
export interface JournalHeader {
  readonly id: string;
  /** The version of its records. A higher one than the program knows is refused with E_TOO_NEW. */
  readonly format: number;
  /** Equal for journals about the same goal. */
  readonly key: string;
  /** For people. */
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The number that people use for it, if it has one. */
  readonly number?: number | undefined;
  /** The journal is in no list and is not kept forever. */
  readonly isOnce?: boolean | undefined;
}

/** How far a journal has come, according to its last record that says so. */
export type JournalEnd<Ending extends string = string> = Ending | null | 'says_nothing';

/** Bytes of the journal that stay although they cannot be read. */
export interface UnreadableSpan {
  readonly from: number;
  readonly to: number;
  /** How many records were there. */
  readonly records: number;
}

export interface Bridge {
  readonly spans: readonly UnreadableSpan[];
  /** The sha256 of the blob with the state before that record. */
  readonly state: string;
}

export interface RecordFormat<R extends AnyRecord> {
  /** The newest format that this program reads, and the one it writes; every line contains it. */
  readonly newest: number;
  /** The type of the record that every journal begins with. */
  readonly firstType: string;
  readonly parse: ParseRecord<R>;
  /** Empty if the record fits. */
  misfits(stored: unknown): readonly Misfit[];
  /** `null` if the record is not the first one. */
  header(record: R): JournalHeader | null;
  /** True for an intent, which is never written from the bytes reserved for the end. */
  isPromise(record: R): boolean;
  /** For a record that a repair wrote about unreadable bytes; `null` for any other. */
  bridge?(record: R): Bridge | null;
  /** Determined from the JSON of one line's envelope. */
  ending(record: AnyRecord): JournalEnd;
}

export interface JournalFolder<R extends AnyRecord = AnyRecord> extends StateFolder {
  readonly format: RecordFormat<R>;
}
