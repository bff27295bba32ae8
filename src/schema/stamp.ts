/** What the journal adds to a record; `seq` counts from 1, `ts` is ms since 1970 and is never shown to a model. */
export type StampedRecord<R> = R & { readonly seq: number; readonly ts: number };

/** A record with the byte offset of its line in the journal. */
export type LocatedRecord<R> = StampedRecord<R> & { readonly offset: number };
