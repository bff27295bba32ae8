/**
 * `state.json`: the fold as a person can read it, tied to one record of the journal. It is made of
 * durable records only, and a start that believes it has compared every byte of the journal below
 * it. One that does not check was cut off by a power cut and is nothing.
 */
import { crc32 } from 'node:zlib';
import { TardigradeError } from '../lib/errors.ts';
import { isNoFile, readFileIfPresent, replaceView } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { jsonText } from '../lib/text/plain-text.ts';
import type { Layout } from './layout.ts';
import { formatChecksum } from './lines/framing.ts';
import type { JournalPosition } from './position.ts';

export interface Snapshot<State> extends JournalPosition {
  /** Version of the state's shape; another one is rebuilt from the journal. */
  readonly schema: number;
  /**
   * True where the file itself was synced, at a pause and at the end: then it proves that the
   * journal was as long as it says. All others are views that a power cut may leave in any shape.
   */
  readonly synced: boolean;
  /** For people alone: nothing of it is read back. */
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
  // People look at it in a terminal: texts of a model or a file are in it.
  const text = jsonText({ ...head, ...shown, state }, 2);
  const body = text.slice(0, -'\n}'.length);
  return Buffer.from(`${body},\n  "c": "${formatChecksum(crc32(body))}"\n}\n`);
}

/** The snapshot of a file's bytes, `null` when its checksum does not hold. */
export function decodeSnapshot<State>(bytes: Buffer): Snapshot<State> | null {
  const end = bytes.length - CHECKSUM_LINE_LENGTH;
  if (end < 0) return null;
  const stored = CHECKSUM_LINE.exec(bytes.toString('latin1', end))?.[1];
  if (stored !== formatChecksum(crc32(bytes.subarray(0, end)))) return null;
  try {
    return fromEarlierBuild(JSON.parse(bytes.toString('utf8')) as Snapshot<State>);
  } catch {
    return null;
  }
}

/** Snapshots without a `crc` were all synced; they match no journal, so the state is rebuilt. */
const fromEarlierBuild = <State>(snapshot: Snapshot<State>): Snapshot<State> =>
  typeof snapshot.crc === 'string' ? snapshot : { ...snapshot, size: 0, crc: '', synced: true };

/** True for a snapshot that proves its journal to have been longer than it is now. */
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
 * Writes `state.json` in one attempt that waits for nobody: a program that holds it open costs a
 * view, not the run. The journal holds everything anyway, so a failure is only a warning.
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
