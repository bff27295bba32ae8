/**
 * Holds back the records at the end of a journal until a later record shows that they were on disk. A power
 * loss may have kept them and taken a blob that they name. Then they were never durable, and neither was
 * anything after them.
 */
import type { LocatedRecord, StampedRecord } from '../../schema/journal/stamp.ts';
import { referencesIn } from '../blobs/offload.ts';
import type { LineBefore, ScanEnd } from './scan.ts';

interface TailLine<R> {
  readonly record: LocatedRecord<R>;
  readonly before: LineBefore;
}

/** Passes records on, in order, as soon as they are known to have been durable. */
export class UnmarkedTail<R> {
  #held: TailLine<R>[] = [];
  readonly #handOn: (record: LocatedRecord<R>) => void;

  constructor(handOn: (record: LocatedRecord<R>) => void) {
    this.#handOn = handOn;
  }

  /** @param record as it was just read; its offset is added to it */
  add(record: StampedRecord<R>, offset: number, before: LineBefore): void {
    this.#held.push({ record: Object.assign(record, { offset }), before });
    // In format 1 every line was synced before the next.
    const mark = record.durable ?? record.seq - 1;
    const known = this.#held.findIndex((held) => held.record.seq > mark);
    if (known === 0) return;
    for (const held of this.#held.splice(0, known)) this.#handOn(held.record);
  }

  /** Passes on the records whose blobs all exist. @returns the end of the journal without the others */
  finish(end: ScanEnd, isKept: (blob: string) => boolean): ScanEnd {
    if (end.tail === 'corrupt' || end.tail === 'unknown') return end;
    for (const { record, before } of this.#held) {
      const lost = referencesIn(record).find(({ blob }) => !isKept(blob));
      if (lost !== undefined) return endBefore(record, before, lost.blob);
      this.#handOn(record);
    }
    return end;
  }
}

const endBefore = (
  { offset, seq }: LocatedRecord<unknown>,
  before: LineBefore,
  blob: string,
): ScanEnd => ({
  end: offset,
  lastOffset: before.offset,
  lastSeq: seq - 1,
  checksum: before.checksum,
  tail: 'torn',
  why: `the blob ${blob} of record ${seq} was never durable`,
  stopped: false,
});
