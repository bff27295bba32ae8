/** Reads a journal without the lock and without changing anything: for status, history and runs. */

import { orNullOn } from '../lib/errors.ts';
import { errorCode, storageError } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import type { LocatedRecord } from '../schema/journal/stamp.ts';
import { FROM_START, type ScanStart, scanRecords } from './lines/scan.ts';
import type { AnyRecord, RecordFormat } from './record-format.ts';
import { refuseStranger } from './removed/lost-journal.ts';
import { type OpenPorts, type Replay, replay } from './replay.ts';
import { readSnapshot } from './snapshot.ts';

/**
 * The folded state of the current journal; `null` if there is none. A record that is just being written does
 * not count. Throws E_JOURNAL_CORRUPT, E_TOO_NEW, E_IO.
 */
export function readState<State, R extends AnyRecord>(
  ports: OpenPorts<State, R>,
): Replay<State> | null {
  const { fs, layout } = ports;
  return reading(fs, layout.history, (fd) => replay(ports, fd, readSnapshot<State>(fs, layout)));
}

/** Where following a journal continues. */
export type JournalCursor = ScanStart;
export const JOURNAL_BEGIN: JournalCursor = FROM_START;

export interface JournalPage<R> {
  readonly records: readonly LocatedRecord<R>[];
  readonly next: JournalCursor;
  /** True if nothing more can be read now. */
  readonly isEnd: boolean;
  /** What is wrong after the last record; empty if nothing is (a torn last line is not a fault). */
  readonly problem: string;
  /** True if that is a record of a newer version. */
  readonly isTooNew: boolean;
}

/** The next `limit` records of a journal file in their stored form. An empty page if the file does not exist. */
export function readPage<R extends AnyRecord>(
  { fs, format }: { readonly fs: FileSystem; readonly format: RecordFormat<R> },
  file: string,
  from: JournalCursor = JOURNAL_BEGIN,
  limit = 1_000,
): JournalPage<R> {
  const page = reading(fs, file, (fd) => {
    const records: LocatedRecord<R>[] = [];
    const end = scanRecords(fs, fd, from, format.parse, (record, offset) => {
      records.push({ ...record, offset });
      return records.length >= limit;
    });
    return {
      records,
      next: { offset: end.end, previous: end.checksum, seq: end.lastSeq + 1 },
      isEnd: !end.stopped,
      problem: end.tail === 'corrupt' || end.tail === 'unknown' ? end.why : '',
      isTooNew: end.tail === 'unknown',
    };
  });
  return page ?? { records: [], next: from, isEnd: true, problem: '', isTooNew: false };
}

/** Page by page to the end, or to the first fault. */
export function* pagesOf<R extends AnyRecord>(
  at: { readonly fs: FileSystem; readonly format: RecordFormat<R> },
  file: string,
): Generator<JournalPage<R>> {
  let page = readPage(at, file);
  while (!page.isEnd) {
    yield page;
    page = readPage(at, file, page.next);
  }
  yield page;
}

/** What `use` returns; `null` if there is no such file. */
function reading<Value>(fs: FileSystem, file: string, use: (fd: number) => Value): Value | null {
  let fd: number;
  try {
    refuseStranger(fs, file);
    fd = fs.open(file, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw storageError(error, `opening ${file}`);
  }
  try {
    return use(fd);
  } catch (error) {
    throw storageError(error, `reading ${file}`);
  } finally {
    fs.close(fd);
  }
}

/** The value; `null` if damage destroyed it, which the repair has already reported to a person. */
export const unlessDamaged = <Value>(read: () => Value): Value | null =>
  orNullOn('E_JOURNAL_CORRUPT', read);
