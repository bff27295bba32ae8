/**
 * The open journal of the current run. Owns the handle of `history.jsonl`, the position and checksum of its
 * end, and the reserve. Does not own the fold, the snapshot or the lock.
 * 1. The file grows only by whole lines. It is truncated only to undo a failed write.
 * 2. `append` writes at once: a record that it returned, with every blob it names, survives the process. After
 *    `sync` it survives the machine: blobs and their folder are synced first, then the lines.
 * 3. After a failed sync or a failed undo nothing more is written: what the disk holds is unknown until it is
 *    read again.
 * 4. Nothing is written if the file is not as this journal left it, or is now a different file.
 * 5. The intent of an effect is never written from the reserve.
 */
import { crc32 } from 'node:zlib';
import type { Clock } from '../lib/clock.ts';
import { TardigradeError } from '../lib/errors.ts';
import { errorCode, isDiskFull, storageError, writeFully } from '../lib/files/durable-files.ts';
import { type LocatedRecord, type StampedRecord, stampRecord } from '../schema/journal/stamp.ts';
import { type BlobStore, createBlobStore } from './blobs/blobs.ts';
import { createBlobMemory, remembering } from './blobs/memory.ts';
import { type ReadBack, readBack } from './blobs/offload.ts';
import type { StateFolder } from './layout.ts';
import {
  CHAIN_START,
  decodeLine,
  encodeLine,
  formatChecksum,
  MAX_LINE_BYTES,
  parseChecksum,
} from './lines/framing.ts';
import { type ChainedLine, lineAt } from './lines/line-at.ts';
import { NO_BYTES } from './lines/whole-checksum.ts';
import type { JournalPosition } from './position.ts';
import type { AnyRecord, RecordFormat } from './record-format.ts';
import { type FileWatch, watchFile } from './removed/watch-file.ts';
import { repairHint } from './repair/hint.ts';
import { dropReserve, ensureReserve } from './reserve.ts';
import { internal, storedForm } from './stored-form.ts';

export interface JournalPorts<R extends AnyRecord> extends StateFolder {
  readonly clock: Pick<Clock, 'now'>;
  readonly format: RecordFormat<R>;
}

export class Journal<R extends AnyRecord = AnyRecord> {
  readonly run: string;
  readonly blobs: BlobStore;
  /** Checks that the file is still the one that this journal writes. */
  readonly watch: FileWatch;
  #size: number;
  #seq: number;
  #offset: number;
  #checksum: number;
  #crc: number;
  /** The seq up to which everything is on disk. */
  #durable: number;
  #hasReserve: boolean;
  #poison: string | null = null;
  #isClosed = false;
  readonly #ports: JournalPorts<R>;
  readonly #fd: number;

  /** Takes over the handle of a file that the caller has synced up to `end`. */
  constructor(ports: JournalPorts<R>, fd: number, end: JournalPosition) {
    this.run = end.run;
    this.#ports = ports;
    this.#fd = fd;
    this.#size = end.size;
    this.#seq = end.seq;
    this.#offset = end.offset;
    this.#checksum = parseChecksum(end.chain) ?? CHAIN_START;
    this.#crc = parseChecksum(end.crc) ?? NO_BYTES;
    this.#durable = end.seq;
    const memory = createBlobMemory();
    this.blobs = remembering(createBlobStore(ports.fs, ports.layout.blobs), memory);
    this.watch = watchFile({ ...ports, fd, memory, journal: this });
    this.#hasReserve = ensureReserve(ports.fs, ports.layout.reserve);
  }

  /** The size in bytes, which is also the offset of the next record. */
  get size(): number {
    return this.#size;
  }

  /** False while something is appended and not yet synced. */
  get isDurable(): boolean {
    return this.#durable === this.#seq;
  }

  /** False once the disk was full and the reserve was released for the records that end open work. */
  get hasReserve(): boolean {
    return this.#hasReserve;
  }

  position(): JournalPosition {
    return {
      run: this.run,
      seq: this.#seq,
      offset: this.#offset,
      chain: formatChecksum(this.#checksum),
      size: this.#size,
      crc: formatChecksum(this.#crc),
    };
  }

  /**
   * Writes one record and returns it in its stored form; `sync` makes it durable. Throws E_FENCED (someone else
   * wrote to the file), E_STATE_GONE (the file was removed, and has been saved), E_DISK_FULL (nothing was
   * written; the journal can continue), E_IO (it cannot continue), E_INTERNAL (the record does not fit the
   * schema).
   */
  append(record: R): LocatedRecord<R> {
    this.#refuseWhenPoisoned();
    this.watch.holdWrite();
    if (this.#ports.format.isPromise(record)) this.needReserve();
    const { stored, texts } = storedForm(record, this.#ports.format, this.blobs);
    const { clock, format } = this.#ports;
    const place = { seq: this.#seq + 1, ts: clock.now(), durable: this.#durable };
    const stamped = stampRecord(stored, { ...place, format: format.newest });
    const line = encodeLine(stamped, this.#checksum);
    if (line.bytes.length > MAX_LINE_BYTES)
      throw internal(`a ${record.type} record of ${line.bytes.length} bytes is too long`);
    const write = () => {
      for (const text of texts.values()) this.blobs.keep(Buffer.from(text));
      this.#writeLine(line.bytes);
    };
    try {
      write();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      const freed = this.#giveUpReserve();
      if (!freed || this.#ports.format.isPromise(record)) throw error;
      write();
    }
    const located = Object.assign(stamped, { offset: this.#size });
    this.#offset = this.#size;
    this.#size += line.bytes.length;
    this.#seq += 1;
    this.#checksum = line.checksum;
    this.#crc = crc32(line.bytes, this.#crc);
    return located;
  }

  /**
   * The barrier: on return, everything appended and every blob kept is durable. Checks the file even if there
   * is nothing to sync. Throws E_FENCED, E_IO.
   */
  sync(): void {
    this.#refuseWhenPoisoned();
    this.watch.hold();
    try {
      this.blobs.sync();
      if (this.#durable < this.#seq) this.#ports.fs.fdatasync(this.#fd);
    } catch (error) {
      throw this.#poisonedBy('a sync failed', error);
    }
    this.#durable = this.#seq;
  }

  /** The record at an offset in its stored form, with its checksum verified. Throws E_JOURNAL_CORRUPT, E_IO. */
  readAt(offset: number): StampedRecord<R> {
    const { layout, format } = this.#ports;
    const line = this.#lineOrRefusal(offset);
    const decoded = line === null ? null : decodeLine(line.bytes, line.previous);
    const parsed = decoded?.ok ? format.parse(decoded.value) : null;
    if (parsed?.kind === 'record') return parsed.record;
    throw new TardigradeError(
      'E_JOURNAL_CORRUPT',
      `${layout.history} is damaged at byte ${offset}.`,
      ...repairHint(layout, 'Repair it; you first see how far it is good.'),
    );
  }

  /** Any value with its references replaced by their strings. Throws E_JOURNAL_CORRUPT. */
  readBack<Value>(value: Value): ReadBack<Value> {
    return readBack(value, (hash) => this.blobs.read(hash).toString());
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.watch.close();
    try {
      this.#ports.fs.close(this.#fd);
    } catch (error) {
      if (this.#poison === null) throw error; // Otherwise the disk has failed before.
    }
    this.#poison = 'it was closed';
  }

  #lineOrRefusal(offset: number): ChainedLine | null {
    try {
      return lineAt(this.#ports.fs, this.#fd, offset, this.#size);
    } catch (error) {
      throw storageError(error, `reading ${this.#ports.layout.history}`);
    }
  }

  #writeLine(bytes: Buffer): void {
    const { fs, layout } = this.#ports;
    const doing = `appending to ${layout.history}`;
    try {
      writeFully(fs, this.#fd, bytes, this.#size);
    } catch (error) {
      this.#takeBack();
      if (!isDiskFull(error)) this.#stopFor('a write failed');
      throw storageError(error, doing);
    }
  }

  /** Invariant 1: truncates to the end of the last record. */
  #takeBack(): void {
    try {
      this.#ports.fs.ftruncate(this.#fd, this.#size);
      this.#ports.fs.fdatasync(this.#fd);
    } catch (error) {
      throw this.#poisonedBy('a half-written record could not be taken back', error);
    }
  }

  /** Invariant 3. */
  #poisonedBy(what: string, error: unknown): unknown {
    this.#stopFor(what);
    const isStorage = errorCode(error) !== '' || error instanceof TardigradeError;
    return isStorage ? this.#refusal(error) : error;
  }

  #stopFor(what: string): void {
    this.#poison = what;
    this.watch.rest();
  }

  #refusal(cause?: unknown): TardigradeError {
    return new TardigradeError(
      'E_IO',
      `${this.#ports.layout.history} takes no more records: ${this.#poison}.`,
      'Check the disk, then run the same command again: it continues from what is safely stored.',
      { cause },
    );
  }

  /**
   * Called before anything new begins. Throws E_DISK_FULL if the reserve was released and cannot be made again:
   * what is left of it is for the outcome of open work and for the pause.
   */
  needReserve(): void {
    const { fs, layout } = this.#ports;
    this.#hasReserve ||= ensureReserve(fs, layout.reserve);
    if (this.#hasReserve) return;
    throw new TardigradeError(
      'E_DISK_FULL',
      `The disk is full: nothing new begins without the space that ${layout.reserve} reserves.`,
      'Free some space, then run the same command again.',
    );
  }

  #giveUpReserve(): boolean {
    const had = this.#hasReserve;
    this.#hasReserve = false;
    const { fs, layout } = this.#ports;
    try {
      return dropReserve(fs, layout.reserve) && had;
    } catch (error) {
      throw storageError(error, `giving up ${layout.reserve}`);
    }
  }

  #refuseWhenPoisoned(): void {
    if (this.#poison !== null) throw this.#refusal();
  }
}
