/** Looking at every record and every blob of a journal. Changes nothing. */
import { kindOf, storageError } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { createBlobStore } from '../blobs/blobs.ts';
import { referencesIn } from '../blobs/offload.ts';
import type { Layout } from '../layout.ts';
import { FROM_START, scanRecords } from '../lines/scan.ts';
import type { AnyRecord, RecordFormat, Span } from '../record-format.ts';
import { readDamaged } from './read-damaged.ts';

interface VerifyPorts<R extends AnyRecord> {
  readonly fs: FileSystem;
  readonly layout: Layout;
  readonly format: RecordFormat<R>;
  /** What only those who made the records know of them. */
  readonly records?: {
    blobsIn(record: R): readonly string[];
  };
}

export interface ChainReport {
  readonly records: number;
  /** Bytes up to the end of the last record before anything that is wrong. */
  readonly goodBytes: number;
  readonly bytes: number;
  /** What is wrong at `goodBytes`, '' when nothing is. */
  readonly problem: string;
  /** What a repair has recorded: it cannot be read, and nothing needs it. */
  readonly spans: readonly Span[];
  /** Blobs that records name and that are missing or damaged, by hash. */
  readonly badBlobs: readonly string[];
}

/** `null` when there is no current journal. Throws E_IO. */
export function verifyChain<R extends AnyRecord>({
  fs,
  layout,
  format,
  records,
}: VerifyPorts<R>): ChainReport | null {
  if (kindOf(fs, layout.history) !== 'file') return null;
  const named = new Set<string>();
  const spans: Span[] = [];
  const look = (record: R): void => {
    for (const { blob } of referencesIn(record)) named.add(blob);
    for (const blob of records?.blobsIn(record) ?? []) named.add(blob);
    const bridge = format.bridge?.(record) ?? null;
    if (bridge !== null) spans.push(...bridge.spans);
  };
  try {
    const fd = fs.open(layout.history, 'r');
    try {
      const end = scanRecords(fs, fd, FROM_START, format.parse, (record) => {
        look(record);
        return false;
      });
      let count = end.lastSeq;
      let problem = end.why;
      if (problem !== '') {
        // Behind what is wrong there may be records too, and what a repair has said of it.
        const mended = readDamaged(fs, fd, format, look);
        count = mended.records;
        const isKnown = ({ from, to }: Span) =>
          spans.some((at) => at.from === from && at.to === to);
        const isAllKnown = mended.flaws.size === 0 && mended.tail === 'clean';
        if (isAllKnown && mended.gaps.every((gap) => isKnown({ ...gap, records: 0 }))) problem = '';
      }
      const blobs = createBlobStore(fs, layout.blobs);
      const badBlobs = [...named].filter((hash) => !blobs.has(hash));
      return { records: count, goodBytes: end.end, bytes: fs.size(fd), problem, spans, badBlobs };
    } finally {
      fs.close(fd);
    }
  } catch (error) {
    throw storageError(error, `reading ${layout.history}`);
  }
}
