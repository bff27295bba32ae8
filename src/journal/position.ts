/** A position in a journal, to which a snapshot is tied. */
export interface JournalPosition {
  readonly run: string;
  readonly seq: number;
  /** The offset of the last record, not of the end. */
  readonly offset: number;
  /** The checksum of the last record, eight hex digits. */
  readonly chain: string;
  /** Bytes up to the end of the last record. */
  readonly size: number;
  /** CRC-32 of all these bytes, eight hex digits: one read shows whether any of them has changed. */
  readonly crc: string;
}
