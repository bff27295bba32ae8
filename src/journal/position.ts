/** Where a journal stands: what a snapshot is tied to. */
export interface JournalPosition {
  readonly run: string;
  readonly seq: number;
  /** Offset of the last record, not of the end. */
  readonly offset: number;
  /** Checksum of the last record, eight hex digits. */
  readonly chain: string;
  /** Bytes up to the end of the last record. */
  readonly size: number;
  /** CRC-32 of all these bytes, eight hex digits: one read tells whether any of them has changed. */
  readonly crc: string;
}
