/**
 * `state.json`: the fold in readable form, tied to one record of the journal. It contains only durable records,
 * and a start uses it only after comparing every byte of the journal that it covers. A snapshot with a wrong
 * checksum was cut off by a power loss and is ignored.
 */
import { crc32 } from 'node:zlib';
import { TardigradeError } from '../lib/errors.ts';
import { isNoFile, readFileIfPresent, replaceView } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { orNull } from '../lib/or-null.ts';
import { jsonText } from '../lib/text/plain-text.ts';
import type { Layout } from './layout.ts';
import { formatChecksum } from './lines/framing.ts';
import type { JournalPosition } from './position.ts';

export interface Snapshot<State> extends JournalPosition {
  /** The version of the state's shape. With another version, the state is rebuilt from the journal. */
  readonly schema: number;
  /**
   * True if the file itself was synced, at a pause or at the end. It then proves that the journal was as long
   * as it says. All others are views, which a power loss may leave in any form.
   */
  readonly synced: boolean;
  /** For people only; it is never read back. */
  readonly shown?: object;
  readonly state: State;
}

export type SnapshotReading<State> =
  | { readonly kind: 'ok'; readonly snapshot: Snapshot<State> }
  | { readonly kind: 'absent' }
  | { readonly kind: 'damaged' };

const CHECKSUM_LINE = /,\n {2}"c": "([0-9a-f]{8})"\n\}\n$/;
const CHECKSUM_LINE_LENGTH = ',\n  "c": "00000000"\n}\n'.length;

export function encodeSnapshot<State>(snapshot: Snapshot<State>): Buffer {
  const { schema, run, seq, offset, chain, size, crc, synced, shown, state } = snapshot;
  const head = { schema, run, seq, offset, chain, size, crc, synced };
  // People read this in a terminal, and it contains text from models and files.
  const text = jsonText({ ...head, ...shown, state }, 2);
  const body = text.slice(0, -'\n}'.length);
  return Buffer.from(`${body},\n  "c": "${formatChecksum(crc32(body))}"\n}\n`);
}

/** Decodes the snapshot in a file's bytes; `null` if its checksum is wrong. */
export function decodeSnapshot<State>(bytes: Buffer): Snapshot<State> | null {
  const end = bytes.length - CHECKSUM_LINE_LENGTH;
  if (end < 0) return null;
  const stored = CHECKSUM_LINE.exec(bytes.toString('latin1', end))?.[1];
  if (stored !== formatChecksum(crc32(bytes.subarray(0, end)))) return null;
  return orNull(() => fromEarlierBuild(JSON.parse(bytes.toString('utf8')) as Snapshot<State>));
}

/** Snapshots without `crc` were all synced. They match no journal, so the state is rebuilt. */
const fromEarlierBuild = <State>(snapshot: Snapshot<State>): Snapshot<State> =>
  typeof snapshot.crc === 'string' ? snapshot : { ...snapshot, size: 0, crc: '', synced: true };

/** True for a snapshot which proves that its journal was longer than it is now. */
export const showsLoss = (
  reading: SnapshotReading<unknown>,
  { run, lastSeq }: { readonly run: string; readonly lastSeq: number },
): boolean =>
  reading.kind === 'ok' &&
  reading.snapshot.synced &&
  reading.snapshot.run === run &&
  reading.snapshot.seq > lastSeq;

export function readSnapshot<State>(fs: FileSystem, layout: Layout): SnapshotReading<State> {
  let bytes: Buffer | null;
  try {
    bytes = readFileIfPresent(fs, layout.state);
  } catch (error) {
    if (isNoFile(error)) return { kind: 'damaged' };
    throw error;
  }
  if (bytes === null) return { kind: 'absent' };
  const snapshot = decodeSnapshot<State>(bytes);
  return snapshot === null ? { kind: 'damaged' } : { kind: 'ok', snapshot };
}

export type SnapshotWriting =
  | { readonly ok: true }
  | { readonly ok: false; readonly warning: string };

/**
 * Writes `state.json` in a single attempt that waits for nobody. If another program holds the file open, only
 * the view is lost. A failure is only a warning, because the journal holds everything.
 */
export function writeSnapshot<State>(
  fs: FileSystem,
  layout: Layout,
  snapshot: Snapshot<State>,
): SnapshotWriting {
  try {
    replaceView(fs, layout.state, encodeSnapshot(snapshot), snapshot.synced);
    return { ok: true };
  } catch (error) {
    if (!(error instanceof TardigradeError)) throw error;
    return { ok: false, warning: `The snapshot was not written: ${error.message}` };
  }
}
