/**
 * What the journal adds to a record. `seq` counts from 1; `ts` is ms since 1970 and is never shown
 * to a model; `durable` is the seq up to which everything was on the disk when the line was written
 * (lines of format 1 have none); `format` is the format of the line. A line before format 3 has none
 * unless it is the first one of its journal.
 */
export type Stamp = {
  readonly seq: number;
  readonly ts: number;
  readonly durable?: number;
  readonly format?: number;
};

export type StampedRecord<R> = R & Stamp;

/** A record with the byte offset of its line in the journal. */
export type LocatedRecord<R> = StampedRecord<R> & { readonly offset: number };

/** The stamp comes first in the line and wins over members of the record that have its names. */
export const stampRecord = <R extends object>(
  stored: R,
  { seq, ts, durable, format }: Required<Stamp>,
): StampedRecord<R> =>
  // An object literal that begins with a spread takes V8 forty times as long.
  Object.assign({ seq, ts, durable, format, ...stored }, { seq, ts, durable, format });

/** What the record says, without its type, its stamp and its place. */
export function unstamped<R extends LocatedRecord<{ readonly type: string }>>(record: R) {
  const { type: _type, seq: _seq, ts: _ts, durable: _durable, format: _format, ...rest } = record;
  const { offset: _offset, ...content } = rest;
  return content;
}
