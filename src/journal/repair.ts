/** Looking at the whole chain, and cutting a damaged journal when a person asks for it. */
import { errorCode, storageError } from '../lib/durable-files.ts';
import type { FileSystem } from '../lib/file-system.ts';
import { createBlobStore } from './blobs.ts';
import { type Layout, sweepTemporaries } from './layout.ts';
import { referencesIn } from './offload.ts';
import { quarantineFile, quarantineRange } from './quarantine.ts';
import type { AnyRecord, RecordFormat } from './record-format.ts';
import { tooNew } from './recover.ts';
import { FROM_START, scanRecords } from './scan.ts';
import { readSnapshot, showsLoss } from './snapshot.ts';

interface Place<R extends AnyRecord> {
  readonly fs: FileSystem;
  readonly layout: Layout;
  readonly format: RecordFormat<R>;
}

export interface ChainReport {
  readonly records: number;
  /** Bytes up to the end of the last good record. */
  readonly goodBytes: number;
  readonly bytes: number;
  /** What is wrong at `goodBytes`, '' when nothing is. */
  readonly problem: string;
  /** Blobs that records name and that are missing or damaged, by hash. */
  readonly badBlobs: readonly string[];
}

/** Checks every record and every blob; `null` when there is no current journal. Changes nothing. */
export function verifyChain<R extends AnyRecord>({
  fs,
  layout,
  format,
}: Place<R>): ChainReport | null {
  const fd = openIfPresent(fs, layout.history, 'r');
  if (fd === null) return null;
  const blobs = createBlobStore(fs, layout.blobs);
  const named = new Set<string>();
  let run = '';
  try {
    const end = scanRecords(fs, fd, FROM_START, format.parse, (record) => {
      run = format.header(record)?.id ?? run;
      for (const { blob } of referencesIn(record)) named.add(blob);
      return false;
    });
    const isShort = showsLoss(readSnapshot(fs, layout), { run, lastSeq: end.lastSeq });
    return {
      records: end.lastSeq,
      goodBytes: end.end,
      bytes: fs.size(fd),
      problem: end.why || (isShort ? 'it ends before the record its snapshot was made at' : ''),
      badBlobs: [...named].filter((hash) => !blobs.has(hash)),
    };
  } catch (error) {
    throw storageError(error, `reading ${layout.history}`);
  } finally {
    fs.close(fd);
  }
}

export interface Repair {
  /** Records that stay. */
  readonly kept: number;
  /** Bytes that were cut off. */
  readonly cut: number;
  /** Where the cut bytes, and a snapshot made from them, are now. */
  readonly quarantined: readonly string[];
}

/**
 * Cuts the journal behind its last good record; everything cut is in quarantine first. `null`
 * when there is no journal. The caller holds the lock and has asked. Throws E_TOO_NEW, E_IO.
 */
export function repairJournal<R extends AnyRecord>({
  fs,
  layout,
  format,
}: Place<R>): Repair | null {
  const fd = openIfPresent(fs, layout.history, 'r+');
  if (fd === null) return null;
  try {
    let run = '';
    const end = scanRecords(fs, fd, FROM_START, format.parse, (record) => {
      run = format.header(record)?.id ?? run;
      return false;
    });
    if (end.tail === 'unknown') throw tooNew(layout.history, end.why);
    const cut = fs.size(fd) - end.end;
    const quarantined: string[] = [];
    const reading = readSnapshot(fs, layout);
    // The snapshot goes first: one that has seen more than the journal holds refuses every start.
    if (
      reading.kind === 'damaged' ||
      showsLoss(reading, { run, lastSeq: end.lastSeq }) ||
      (cut > 0 && reading.kind === 'ok')
    ) {
      quarantined.push(quarantineFile(fs, layout.quarantine, layout.state));
    }
    if (cut > 0) {
      quarantined.push(quarantineRange(fs, layout.quarantine, fd, end.end, 'history.jsonl'));
      if (end.end > 0) {
        fs.ftruncate(fd, end.end);
        fs.fsync(fd);
      }
    }
    // Without one good record there is no run; the file as it is goes into quarantine.
    if (end.end === 0) quarantined.push(quarantineFile(fs, layout.quarantine, layout.history));
    sweepTemporaries(fs, layout);
    return { kept: end.lastSeq, cut, quarantined };
  } catch (error) {
    throw storageError(error, `repairing ${layout.history}`);
  } finally {
    fs.close(fd);
  }
}

function openIfPresent(fs: FileSystem, path: string, flags: string): number | null {
  try {
    return fs.open(path, flags);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw storageError(error, `opening ${path}`);
  }
}
