/**
 * Reads a journal that does not read well, and finds what it was: changes nothing.
 *
 * 1. A record counts only where the chain of checksums holds up to it, as in every other reading.
 * 2. What can be put right is put right only where the checksums show that it is right: line ends,
 *    a byte order mark, blank, doubled or moved lines.
 * 3. What cannot is a gap. Behind it the chain is taken up again where a line matches the checksum
 *    that stands in the line before it.
 * The result says of which pieces of the file, and of which few bytes instead, the journal is made.
 */
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { StampedRecord } from '../../schema/journal/stamp.ts';
import {
  BYTE_ORDER_MARK_LENGTH,
  endsLikeWindows,
  hasByteOrderMark,
  isBlank,
} from '../conversions.ts';
import { CHAIN_START, decodeLine, judgeTail } from '../lines/framing.ts';
import { checksumIn, contentOf, LineQueue, type PlacedLine, seqIn } from '../lines/line-queue.ts';
import type { AnyRecord, ParseRecord, RecordFormat } from '../record-format.ts';
import { type RepairedBytes, repairedBytes } from './repaired-bytes.ts';

/** What was put right. */
export const FLAWS = [
  'byte_order_mark',
  'line_ends',
  'blank_lines',
  'doubled_lines',
  'moved_lines',
  'foreign_lines',
  'no_last_newline',
] as const;
export type Flaw = (typeof FLAWS)[number];

/** Bytes that cannot be read; places are those in the mended bytes. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  /** The record that belongs there first, and the first one behind; `null`: there is none. */
  readonly firstSeq: number;
  readonly nextSeq: number | null;
  /** Checksum before the record behind; 0 where there is none. */
  readonly chain: number;
  /** The last record before it; offset -1 where there is none. */
  readonly before: { readonly offset: number; readonly checksum: number };
  readonly inFile: number;
  readonly why: string;
}

export interface RepairedJournal {
  readonly bytes: RepairedBytes;
  readonly flaws: ReadonlyMap<Flaw, number>;
  readonly gaps: readonly Gap[];
  /** Records that can be read, and the number of the last of them. */
  readonly records: number;
  readonly lastSeq: number;
  readonly lastOffset: number;
  readonly checksum: number;
  /** `torn`: a last line that was never finished; `unknown`: a record of a newer version. */
  readonly tail: 'clean' | 'torn' | 'unknown';
  readonly why: string;
  /** Where in the file the torn line begins. */
  readonly tornAt?: number;
}

export interface RepairedPlace {
  /** Place in the mended bytes. */
  readonly offset: number;
  readonly checksum: number;
  /** Checksum of the line before. */
  readonly previous: number;
}

export type OnRepairedRecord<R> = (record: StampedRecord<R>, place: RepairedPlace) => void;

/** Lines that are looked at for the one that comes next. */
const AHEAD = 32;
/** Records whose repetition is known for one. */
const REMEMBERED = 4096;

class JournalReader<R> {
  readonly #queue: LineQueue;
  readonly #parse: ParseRecord<R>;
  readonly #onRecord: OnRepairedRecord<R>;
  readonly #bytes = repairedBytes();
  readonly #flaws = new Map<Flaw, number>();
  readonly #gaps: Gap[] = [];
  /** By its number the checksum before a record that was read lately. */
  readonly #seeds = new Map<number, number>();
  #checksum = CHAIN_START;
  #seq = 1;
  #records = 0;
  #lastOffset = -1;

  constructor(fs: FileSystem, fd: number, parse: ParseRecord<R>, onRecord: OnRepairedRecord<R>) {
    this.#queue = new LineQueue(fs, fd);
    this.#parse = parse;
    this.#onRecord = onRecord;
  }

  read(): RepairedJournal {
    this.#dropByteOrderMark();
    for (;;) {
      const line = this.#queue.at(0);
      if (line === null) return this.#end('clean', '');
      const taken = this.#takeNext() || this.#dropExtra(line);
      if (taken === 'unknown') return this.#end('unknown', 'a record of a newer version');
      if (taken) continue;
      const isLast = this.#queue.at(1) === null;
      const facts = { terminated: line.isTerminated, isLast };
      if (isLast && judgeTail(line.bytes, facts, this.#checksum) === 'torn') {
        const end = this.#end('torn', 'the last line was never finished');
        return { ...end, tornAt: line.from };
      }
      this.#leaveGap(line);
    }
  }

  #end(tail: RepairedJournal['tail'], why: string): RepairedJournal {
    return {
      bytes: this.#bytes,
      flaws: this.#flaws,
      gaps: this.#gaps,
      records: this.#records,
      lastSeq: this.#seq - 1,
      lastOffset: this.#lastOffset,
      checksum: this.#checksum,
      tail,
      why,
    };
  }

  #count(flaw: Flaw, by = 1): void {
    this.#flaws.set(flaw, (this.#flaws.get(flaw) ?? 0) + by);
  }

  #dropByteOrderMark(): void {
    const first = this.#queue.at(0);
    if (first === null || !hasByteOrderMark(first.bytes)) return;
    const bytes = first.bytes.subarray(BYTE_ORDER_MARK_LENGTH);
    this.#queue.replace(1, { ...first, bytes, from: first.from + BYTE_ORDER_MARK_LENGTH });
    this.#count('byte_order_mark');
  }

  /** The record that comes next, from wherever it stands among the next lines. */
  #takeNext(): boolean | 'unknown' {
    for (let index = 0; index <= AHEAD; index++) {
      const line = this.#queue.at(index);
      if (line === null) return false;
      const content = contentOf(line);
      const taken = this.#accept(content, this.#checksum, this.#seq);
      if (taken === false) continue;
      if (taken === 'unknown') return index === 0 && 'unknown';
      this.#place(line, content);
      this.#queue.take(index);
      this.#passOver(index);
      return true;
    }
    return false;
  }

  /** Of the lines before the one that was wanted, keeps those that may still be. */
  #passOver(count: number): void {
    let isMoved = false;
    for (let index = count - 1; index >= 0; index--) {
      const line = this.#queue.at(index);
      if (line === null || this.#dropExtra(line, index)) continue;
      const seq = seqIn(contentOf(line));
      if (seq !== null && seq >= this.#seq) isMoved = true;
      else {
        this.#queue.take(index);
        this.#count('foreign_lines');
      }
    }
    if (isMoved) this.#count('moved_lines');
  }

  /** Goes on with a line that is the record wanted here. */
  #accept(content: Buffer, seed: number, seq: number | null): boolean | 'unknown' {
    const decoded = decodeLine(content, seed);
    if (!decoded.ok) return false;
    const parsed = this.#parse(decoded.value);
    if (parsed.kind === 'unknown') return 'unknown';
    const found = parsed.kind === 'record' ? parsed.record.seq : parsed.seq;
    if (seq === null ? found < this.#seq : found !== seq) return false;
    this.#seeds.set(found, seed);
    this.#seeds.delete(found - REMEMBERED);
    this.#lastOffset = this.#bytes.size;
    this.#checksum = decoded.checksum;
    this.#seq = found + 1;
    this.#records += 1;
    const place = { offset: this.#lastOffset, checksum: this.#checksum, previous: seed };
    if (parsed.kind === 'record') this.#onRecord(parsed.record, place);
    return true;
  }

  /** Puts a line of the file among the mended bytes. */
  #place(line: PlacedLine, content: Buffer): void {
    this.#bytes.keep(line.from, line.from + content.length);
    if (line.isTerminated) {
      if (endsLikeWindows(line.bytes)) this.#count('line_ends');
      this.#bytes.keep(line.to - 1, line.to);
    } else {
      this.#count('no_last_newline');
      this.#bytes.put(Buffer.from('\n'));
    }
  }

  /** A line that is there once more than it should be, or never was of this journal. */
  #dropExtra(line: PlacedLine, index = 0): boolean {
    if (isBlank(line.bytes)) {
      this.#count('blank_lines');
    } else {
      const content = contentOf(line);
      const seq = seqIn(content);
      const seed = seq === null ? undefined : this.#seeds.get(seq);
      if (seed === undefined || !decodeLine(content, seed).ok) return false;
      this.#count('doubled_lines');
    }
    this.#queue.take(index);
    return true;
  }

  /** Passes over what cannot be read, up to a line that matches the checksum in the one before it. */
  #leaveGap(first: PlacedLine): void {
    const before = { offset: this.#lastOffset, checksum: this.#checksum };
    const gap = { from: this.#bytes.size, firstSeq: this.#seq, inFile: first.from, before };
    const decoded = decodeLine(contentOf(first), this.#checksum);
    const why = decoded.ok ? 'a record stands where another belongs' : decoded.why;
    let seed: number | null = null;
    for (let line: PlacedLine | null = first; line !== null; line = this.#queue.at(0)) {
      const content = contentOf(line);
      const to = this.#bytes.size;
      if (seed !== null && this.#accept(content, seed, null) === true) {
        this.#gaps.push({ ...gap, to, nextSeq: this.#seq - 1, chain: seed, why });
        this.#place(line, content);
        this.#queue.take();
        return;
      }
      this.#bytes.keep(line.from, line.from + content.length);
      if (line.isTerminated) this.#bytes.keep(line.to - 1, line.to);
      seed = checksumIn(content);
      this.#queue.take();
    }
    this.#gaps.push({ ...gap, to: this.#bytes.size, nextSeq: null, chain: 0, why });
  }
}

/** @param onRecord for every record in the order of the mended journal */
export function readDamaged<R extends AnyRecord>(
  fs: FileSystem,
  fd: number,
  { parse }: Pick<RecordFormat<R>, 'parse'>,
  onRecord: OnRepairedRecord<R> = () => {},
): RepairedJournal {
  return new JournalReader(fs, fd, parse, onRecord).read();
}
