import type { StateFolder } from '../layout.ts';
import type { AnyRecord, JournalHeader, RecordFormat, UnreadableSpan } from '../record-format.ts';
import type { Fold } from '../replay.ts';
import type { Snapshot, SnapshotReading } from '../snapshot.ts';
import type { Flaw, RepairedJournal } from './read-damaged.ts';
import type { RepairedPiece } from './repaired-bytes.ts';

/** Builds the records that a repair writes; supplied by those who know their meaning. */
export interface RepairRecords<State, R extends AnyRecord> {
  /** The first record rebuilt from the state, and when it was written. */
  opening(state: State): { readonly record: R; readonly ts: number };
  /** `before`: the blob with the state before these records. */
  unreadable(state: State, spans: readonly UnreadableSpan[], before: string): readonly R[];
  setAside(part: { readonly at: number; readonly bytes: number; readonly file: string }): R;
  /** Blobs that a record names only by their sha256. */
  blobsIn(record: R): readonly string[];
}

export interface RepairPlace<State, R extends AnyRecord> extends StateFolder {
  readonly format: RecordFormat<R>;
  readonly fold: Fold<State, R>;
  readonly records: RepairRecords<State, R>;
}

export interface JournalCut {
  readonly inFile: number;
  readonly bytes: number;
  readonly why: string;
  /** An unfinished record, which nothing depends on. */
  readonly isTorn: boolean;
}

export interface RepairPlan<State = unknown> {
  readonly run: string | null;
  /** The corrections, and how often each is made. */
  readonly flaws: ReadonlyMap<Flaw, number>;
  /** Unreadable bytes that stay because the snapshot covers them. */
  readonly bridged: readonly UnreadableSpan[];
  readonly cut: JournalCut | null;
  /** How many records can be read afterwards. */
  readonly kept: number;
  /** `rewritten`: from pieces of itself. `set_aside`: no run is left. */
  readonly journal: 'as_it_is' | 'rewritten' | 'set_aside';
  /** `ahead`: it proves that records are lost, and goes to quarantine. A damaged one is ignored. */
  readonly snapshot: 'kept' | 'damaged' | 'ahead' | 'absent';
  /** What the snapshot says about the run, if it can be used. */
  readonly state: State | null;
  /** Why there is no readable journal; empty if there is one. */
  readonly strange: string;
  /** The other run whose journal is there: it is moved away first and stays complete. */
  readonly other: JournalHeader | null;
}

/** A plan, with everything needed to carry it out. */
export interface RepairWork<State> extends RepairPlan<State> {
  readonly pieces: readonly RepairedPiece[];
  /** The last record that stays; `size`: bytes up to its end. */
  readonly end: {
    readonly seq: number;
    readonly offset: number;
    readonly chain: string;
    readonly size: number;
  };
  /** The state after the last record that stays, if something is bridged. */
  readonly bridge: { readonly state: State } | null;
}

/** The result of reading the whole journal in its current condition. */
export interface JournalReading<State> {
  readonly mended: RepairedJournal;
  /** The size of the file in bytes. */
  readonly size: number;
  /** The run's id from the first record; `null` if that cannot be read. */
  readonly run: string | null;
  readonly known: readonly UnreadableSpan[];
  readonly snapshot: SnapshotReading<State>;
  /** The snapshot, if its run and shape match. */
  readonly usable: Snapshot<State> | null;
  /** Where the snapshot's record is, and the state after everything that follows it without a gap. */
  readonly seen: SnapshotState<State> | null;
  readonly strange: string;
  readonly other: JournalHeader | null;
}

export interface SnapshotState<State> {
  /** By how many bytes the journal is shorter than when the snapshot was made. */
  readonly shift: number;
  readonly seq: number;
  readonly state: State;
}

export const isNothing = ({ flaws, bridged, cut, journal, snapshot, other }: RepairPlan): boolean =>
  other === null &&
  flaws.size === 0 &&
  bridged.length === 0 &&
  cut === null &&
  journal === 'as_it_is' &&
  snapshot !== 'ahead';
