/** Checks every record and every blob of a journal, without changing anything. */
import { fileKindAt, withStorageErrors } from '../../lib/files/durable-files.ts';
import { withFile } from '../../lib/files/with-file.ts';
import { createBlobStore } from '../blobs/blobs.ts';
import { referencesIn } from '../blobs/offload.ts';
import type { StateFolder } from '../layout.ts';
import { FROM_START, scanRecords } from '../lines/scan.ts';
import type { AnyRecord, RecordFormat, UnreadableSpan } from '../record-format.ts';
import { readDamaged } from './read-damaged.ts';

interface VerifyPorts<R extends AnyRecord> extends StateFolder {
  readonly format: RecordFormat<R>;
  /** What only the owners of the record formats know. */
  readonly records?: {
    blobsIn(record: R): readonly string[];
  };
}

export interface ChainReport {
  readonly records: number;
  /** Bytes up to the end of the last record before the first fault. */
  readonly goodBytes: number;
  readonly bytes: number;
  /** The fault at `goodBytes`; empty if there is none. */
  readonly problem: string;
  /** Bytes that a repair recorded as unreadable; nothing needs them. */
  readonly spans: readonly UnreadableSpan[];
  /** Hashes of blobs that records name and that are missing or damaged. */
  readonly badBlobs: readonly string[];
}

/** `null` if there is no current journal. Throws E_IO. */
export function verifyChain<R extends AnyRecord>({
  fs,
  layout,
  format,
  records,
}: VerifyPorts<R>): ChainReport | null {
  if (fileKindAt(fs, layout.history) !== 'file') return null;
  const named = new Set<string>();
  const spans: UnreadableSpan[] = [];
  const inspect = (record: R): void => {
    for (const { blob } of referencesIn(record)) named.add(blob);
    for (const blob of records?.blobsIn(record) ?? []) named.add(blob);
    const bridge = format.bridge?.(record) ?? null;
    if (bridge !== null) spans.push(...bridge.spans);
  };
  return withStorageErrors(`reading ${layout.history}`, () =>
    withFile(fs, layout.history, (fd) => {
      const end = scanRecords(fs, fd, FROM_START, format.parse, (record) => {
        inspect(record);
        return false;
      });
      let count = end.lastSeq;
      let problem = end.why;
      if (problem !== '') {
        // There may be records after the fault, and a repair may have recorded it.
        const mended = readDamaged(fs, fd, format, inspect);
        count = mended.records;
        const isKnown = ({ from, to }: UnreadableSpan) =>
          spans.some((at) => at.from === from && at.to === to);
        const isAllKnown = mended.flaws.size === 0 && mended.tail === 'clean';
        if (isAllKnown && mended.gaps.every((gap) => isKnown({ ...gap, records: 0 }))) problem = '';
      }
      const blobs = createBlobStore(fs, layout.blobs);
      const badBlobs = [...named].filter((hash) => !blobs.has(hash));
      return { records: count, goodBytes: end.end, bytes: fs.size(fd), problem, spans, badBlobs };
    }),
  );
}
