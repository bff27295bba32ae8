/** What a repair is told, what it finds, and what it would do. */
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { Layout } from '../layout.ts';
import type { AnyRecord, JournalHeader, RecordFormat, Span } from '../record-format.ts';
import type { Fold } from '../replay.ts';
import type { Snapshot, SnapshotReading } from '../snapshot.ts';
import type { Flaw, RepairedJournal } from './read-damaged.ts';
import type { Piece } from './repaired-bytes.ts';

/** The records that a repair writes, made by those who know what they mean. */
export interface RepairRecords<State, R extends AnyRecord> {
  /** The first record again, as the state knows it, and when it was written. */
  opening(state: State): { readonly record: R; readonly ts: number };
  /** `before`: the blob with the state before these records. */
  unreadable(state: State, spans: readonly Span[], before: string): readonly R[];
  setAside(part: { readonly at: number; readonly bytes: number; readonly file: string }): R;
  /** Blobs that a record names by their sha256 alone. */
  blobsIn(record: R): readonly string[];
}

export interface RepairPlace<State, R extends AnyRecord> {
  readonly fs: FileSystem;
  readonly layout: Layout;
  readonly format: RecordFormat<R>;
  readonly fold: Fold<State, R>;
  readonly records: RepairRecords<State, R>;
}

export interface Cut {
  readonly inFile: number;
  readonly bytes: number;
  readonly why: string;
  /** A record that was never finished: nothing rests on it. */
  readonly isTorn: boolean;
}

export interface RepairPlan<State = unknown> {
  readonly run: string | null;
  /** What is put right, and how often. */
  readonly flaws: ReadonlyMap<Flaw, number>;
  /** Bytes that stay though they cannot be read, because the snapshot has seen them. */
  readonly bridged: readonly Span[];
  readonly cut: Cut | null;
  /** Records that can be read afterwards. */
  readonly kept: number;
  /** `rewritten`: from pieces of itself. `set_aside`: no run is left. */
  readonly journal: 'as_it_is' | 'rewritten' | 'set_aside';
  /** `ahead`: it shows that records are lost, and goes to quarantine. A damaged one is nothing. */
  readonly snapshot: 'kept' | 'damaged' | 'ahead' | 'absent';
  /** What the snapshot says of the run, where it can be used. */
  readonly state: State | null;
  /** Why there is no journal to read; '' where there is one. */
  readonly strange: string;
  /** The other run whose journal stands there: it leaves first, and stays whole. */
  readonly other: JournalHeader | null;
}

/** A plan with what carrying it out takes. */
export interface RepairWork<State> extends RepairPlan<State> {
  readonly pieces: readonly Piece[];
  /** The last record that stays; `size`: bytes up to its end. */
  readonly end: {
    readonly seq: number;
    readonly offset: number;
    readonly chain: string;
    readonly size: number;
  };
  /** The state behind the last record that stays, where something is bridged. */
  readonly bridge: { readonly state: State } | null;
}

/** What reading the whole journal, however it is, gave. */
export interface Reading<State> {
  readonly mended: RepairedJournal;
  /** Bytes of the file. */
  readonly size: number;
  /** As the first record has it; `null` where that cannot be read. */
  readonly run: string | null;
  readonly known: readonly Span[];
  readonly snapshot: SnapshotReading<State>;
  /** The snapshot, where it is of this run and shape. */
  readonly usable: Snapshot<State> | null;
  /** Where the record of the snapshot stands, and the state behind all that follows without a gap. */
  readonly seen: SnapshotState<State> | null;
  readonly strange: string;
  readonly other: JournalHeader | null;
}

export interface SnapshotState<State> {
  /** Bytes by which the journal is shorter than it was when the snapshot was made. */
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
