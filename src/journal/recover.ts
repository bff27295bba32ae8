/**
 * Opens a journal: reads, checks and folds it, and makes it durable before anyone acts on it. Nothing on disk
 * changes before the whole journal was read and found usable. After that, any step may be cut off; the next
 * start simply repeats it.
 */

import { crc32 } from 'node:zlib';
import { dirname } from '../lib/files/absolute-paths.ts';
import {
  discard,
  errorCode,
  fileKindAt,
  replaceLocked,
  storageError,
  syncDirectory,
  withStorageErrors,
} from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { type Interruptible, runSync } from '../lib/interruptible.ts';
import { stampRecord } from '../schema/journal/stamp.ts';
import { createBlobStore } from './blobs/blobs.ts';
import { Journal } from './journal.ts';
import { type Layout, sweepTemporaries } from './layout.ts';
import { CHAIN_START, encodeLine, formatChecksum } from './lines/framing.ts';
import { hashOfStart } from './lines/hash-of-start.ts';
import type { ScanEnd } from './lines/scan.ts';
import { NO_BYTES } from './lines/whole-checksum.ts';
import { quarantineRange } from './quarantine.ts';
import type { AnyRecord } from './record-format.ts';
import { refuseStranger, refuseWhenLost } from './removed/lost-journal.ts';
import { type OpenPorts, replaying } from './replay.ts';
import { readSnapshot } from './snapshot.ts';
import { internal, storedForm } from './stored-form.ts';

export interface OpenedJournal<State, R extends AnyRecord> {
  readonly journal: Journal<R>;
  readonly state: State;
  readonly replayed: number;
  /** A torn last line that was cut off, and the file that now holds its bytes. */
  readonly quarantined: { readonly bytes: number; readonly file: string } | null;
}

/**
 * Opens the current journal to continue it; the caller holds the lock. Returns `null` if there is none. Throws
 * E_JOURNAL_MISSING, E_JOURNAL_CORRUPT, E_TOO_NEW, E_DISK_FULL, E_IO.
 */
export const openJournal = <State, R extends AnyRecord>(
  ports: OpenPorts<State, R>,
): OpenedJournal<State, R> | null => runSync(openingJournal(ports));

/** The same in interruptible pieces. Stopping between two pieces leaves everything unchanged. */
export function* openingJournal<State, R extends AnyRecord>(
  ports: OpenPorts<State, R>,
): Interruptible<OpenedJournal<State, R> | null> {
  const { fs, layout } = ports;
  let fd: number;
  try {
    refuseStranger(fs, layout.history);
    fd = fs.open(layout.history, 'r+');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw storageError(error, `opening ${layout.history}`);
    refuseWhenLost(fs, layout);
    return null;
  }
  try {
    const reading = readSnapshot<State>(fs, layout);
    const blobs = createBlobStore(fs, layout.blobs);
    const found = yield* replaying(ports, fd, reading, blobs);
    ports.accept?.(found.state, (bytes) => hashOfStart(fs, fd, bytes));
    // What was read may exist only in the page cache, including the folders of the state. It must be on disk
    // before anyone acts on it.
    syncDirectory(fs, layout.root);
    syncDirectory(fs, dirname(layout.root));
    const quarantined = cutTornTail(fs, layout, fd, found.end);
    sweepTemporaries(fs, layout);
    blobs.sync();
    fs.fsync(fd);
    const journal = new Journal(ports, fd, found.position);
    const { state, replayed } = found;
    return { journal, state, replayed, quarantined };
  } catch (error) {
    fs.close(fd);
    throw storageError(error, `opening ${layout.history}`);
  }
}

function cutTornTail(
  fs: FileSystem,
  layout: Layout,
  fd: number,
  end: ScanEnd,
): OpenedJournal<unknown, AnyRecord>['quarantined'] {
  if (end.tail !== 'torn') return null;
  const bytes = fs.size(fd) - end.end;
  const file = quarantineRange(fs, layout.quarantine, fd, end.end);
  fs.ftruncate(fd, end.end);
  fs.fdatasync(fd);
  return { bytes, file };
}

/**
 * Starts a new journal with its first record; there must be no current journal. The record appears together
 * with the file, so a journal is never empty. Throws E_DISK_FULL, E_IO.
 */
export function createJournal<State, R extends AnyRecord>(
  ports: OpenPorts<State, R>,
  first: R,
): OpenedJournal<State, R> {
  return withStorageErrors(`creating ${ports.layout.history}`, () => beginJournal(ports, first));
}

function beginJournal<State, R extends AnyRecord>(
  ports: OpenPorts<State, R>,
  first: R,
): OpenedJournal<State, R> {
  const { fs, layout, fold, format } = ports;
  const header = format.header(first);
  if (header === null) throw internal(`a journal begins with ${format.firstType}`);
  if (fileKindAt(fs, layout.history) !== null) throw internal(`${layout.history} exists already`);
  const { stored } = storedForm(first, format, createBlobStore(fs, layout.blobs));
  const stamp = { seq: 1, ts: header.startedAt, durable: 0, format: format.newest };
  const stamped = stampRecord(stored, stamp);
  const line = encodeLine(stamped, CHAIN_START);
  discard(fs, layout.setAside);
  replaceLocked(fs, layout.history, line.bytes, { isSynced: true });
  syncDirectory(fs, dirname(layout.root));
  const fd = fs.open(layout.history, 'r+');
  const journal = new Journal(ports, fd, {
    run: header.id,
    seq: 1,
    offset: 0,
    chain: formatChecksum(line.checksum),
    size: line.bytes.length,
    crc: formatChecksum(crc32(line.bytes, NO_BYTES)),
  });
  const state = fold.reduce(null, { ...stamped, offset: 0 });
  return { journal, state, replayed: 0, quarantined: null };
}
