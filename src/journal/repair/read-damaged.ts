/**
 * Reads a damaged journal and finds out what it was, without changing anything.
 * 1. A record counts only if the chain of checksums holds up to it, as in every other reading.
 * 2. Corrections are made only if the checksums prove them: line ends, a byte order mark, blank lines, and
 *    foreign lines.
 * 3. Everything else is a gap. After it the chain continues at a line that matches the checksum in the line
 *    before it.
 * The result lists the pieces of the file, and the few replaced bytes, that form the journal.
 */
import { readRange } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { StampedRecord } from '../../schema/journal/stamp.ts';
import {
  BYTE_ORDER_MARK_LENGTH,
  endsLikeWindows,
  hasByteOrderMark,
  isBlank,
} from '../conversions.ts';
import { CHAIN_START, decodeLine, judgeTail } from '../lines/framing.ts';
import { checksumIn, LineQueue, lineContent, type PlacedLine, seqIn } from '../lines/line-queue.ts';
import type { AnyRecord, ParseRecord, RecordFormat } from '../record-format.ts';
import { type RepairedBytes, repairedBytes } from './repaired-bytes.ts';

/** What was corrected. */
export const FLAWS = [
  'byte_order_mark',
  'line_ends',
  'blank_lines',
  'foreign_lines',
  'no_last_newline',
] as const;
export type Flaw = (typeof FLAWS)[number];

/** Unreadable bytes; positions refer to the corrected bytes. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  /** The seq of the record that belongs there first, and of the first one after the gap; `null`: there is none. */
  readonly firstSeq: number;
  readonly nextSeq: number | null;
  /** The checksum before the record after the gap; 0 if there is none. */
  readonly chain: number;
  /** The last record before the gap; offset -1 if there is none. */
  readonly before: { readonly offset: number; readonly checksum: number };
  readonly inFile: number;
  readonly why: string;
}

export interface RepairedJournal {
  readonly bytes: RepairedBytes;
  readonly flaws: ReadonlyMap<Flaw, number>;
  readonly gaps: readonly Gap[];
  /** How many records can be read, and the seq of the last one. */
  readonly records: number;
  readonly lastSeq: number;
  readonly lastOffset: number;
  readonly checksum: number;
  /** `torn`: an unfinished last line; `unknown`: a record of a newer version. */
  readonly tail: 'clean' | 'torn' | 'unknown';
  readonly why: string;
  /** Where the torn line begins in the file. */
  readonly tornAt?: number;
}

export interface RepairedPlace {
  /** The position in the corrected bytes. */
  readonly offset: number;
  readonly checksum: number;
  /** The checksum of the line before. */
  readonly previous: number;
}

export type OnRepairedRecord<R> = (record: StampedRecord<R>, place: RepairedPlace) => void;

/** More lines than this are not just an addition by someone else. */
const AHEAD = 32;

class JournalReader<R> {
  readonly #size: number;
  readonly #queue: LineQueue;
  readonly #parse: ParseRecord<R>;
  readonly #onRecord: OnRepairedRecord<R>;
  readonly #bytes = repairedBytes();
  readonly #flaws = new Map<Flaw, number>();
  readonly #gaps: Gap[] = [];
  #checksum = CHAIN_START;
  #seq = 1;
  #records = 0;
  #lastOffset = -1;

  constructor(fs: FileSystem, fd: number, parse: ParseRecord<R>, onRecord: OnRepairedRecord<R>) {
    this.#size = fs.size(fd);
    const isMarked = hasByteOrderMark(readRange(fs, fd, 0, BYTE_ORDER_MARK_LENGTH));
    this.#queue = new LineQueue(fs, fd, isMarked ? BYTE_ORDER_MARK_LENGTH : 0);
    if (isMarked) this.#count('byte_order_mark');
    this.#parse = parse;
    this.#onRecord = onRecord;
  }

  read(): RepairedJournal {
    for (;;) {
      const line = this.#queue.at(0);
      if (line === null) return this.#end('clean', '');
      const taken = this.#take(line, this.#checksum, this.#seq);
      if (taken === 'unknown') return this.#end('unknown', 'a record of a newer version');
      if (taken || this.#dropBlank(line) || this.#dropForeign()) continue;
      const isLast = line.to >= this.#size;
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

  #dropBlank({ bytes }: PlacedLine): boolean {
    if (!isBlank(bytes)) return false;
    this.#count('blank_lines');
    this.#queue.take();
    return true;
  }

  /** Drops foreign lines before the wanted record, and lines repeated at the end. */
  #dropForeign(): boolean {
    let isRepeated = true;
    for (let count = 0; count <= AHEAD; count++) {
      const line = this.#queue.at(count);
      const content = line && lineContent(line);
      const isNext = content !== null && decodeLine(content, this.#checksum).ok;
      if (count > 0 && (content === null ? isRepeated : isNext)) {
        for (let left = count; left > 0; left--) this.#queue.take();
        this.#count('foreign_lines', count);
        return true;
      }
      const seq = content === null ? this.#seq : seqIn(content);
      if (seq !== null && seq >= this.#seq) return false;
      isRepeated &&= seq !== null;
    }
    return false;
  }

  /** Accepts a line that is the wanted record. */
  #take(line: PlacedLine, seed: number, seq: number | null): boolean | 'unknown' {
    const content = lineContent(line);
    const taken = this.#accept(content, seed, seq);
    if (taken !== true) return taken;
    this.#place(line, content);
    this.#queue.take();
    return true;
  }

  #accept(content: Buffer, seed: number, seq: number | null): boolean | 'unknown' {
    const decoded = decodeLine(content, seed);
    if (!decoded.ok) return false;
    const parsed = this.#parse(decoded.value);
    if (parsed.kind === 'unknown') return 'unknown';
    const found = parsed.kind === 'record' ? parsed.record.seq : parsed.seq;
    if (seq === null ? found < this.#seq : found !== seq) return false;
    this.#lastOffset = this.#bytes.size;
    this.#checksum = decoded.checksum;
    this.#seq = found + 1;
    this.#records += 1;
    const place = { offset: this.#lastOffset, checksum: this.#checksum, previous: seed };
    if (parsed.kind === 'record') this.#onRecord(parsed.record, place);
    return true;
  }

  /** Adds a line of the file to the corrected bytes. */
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

  /** Skips what cannot be read, up to a line that matches the checksum in the line before it. */
  #leaveGap(first: PlacedLine): void {
    const before = { offset: this.#lastOffset, checksum: this.#checksum };
    const gap = { from: this.#bytes.size, firstSeq: this.#seq, inFile: first.from, before };
    const decoded = decodeLine(lineContent(first), this.#checksum);
    const why = decoded.ok ? 'a record stands where another belongs' : decoded.why;
    let seed: number | null = null;
    for (let line: PlacedLine | null = first; line !== null; line = this.#queue.at(0)) {
      const content = lineContent(line);
      const to = this.#bytes.size;
      if (seed !== null && this.#take(line, seed, null) === true) {
        this.#gaps.push({ ...gap, to, nextSeq: this.#seq - 1, chain: seed, why });
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

/** @param onRecord called for every record in the order of the corrected journal */
export function readDamaged<R extends AnyRecord>(
  fs: FileSystem,
  fd: number,
  { parse }: Pick<RecordFormat<R>, 'parse'>,
  onRecord: OnRepairedRecord<R> = () => {},
): RepairedJournal {
  return new JournalReader(fs, fd, parse, onRecord).read();
}
