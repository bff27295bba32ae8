/**
 * Repairs a damaged journal when a person asks for it. Every byte that leaves the journal is first copied to
 * quarantine. After a kill at any point, the next repair finds the same damage, or what is left of it, and
 * finishes.
 */
import { basename } from '../../lib/files/absolute-paths.ts';
import {
  discard,
  fileKindAt,
  renameFile,
  syncDirectory,
  TEMPORARY_SUFFIX,
  withStorageErrors,
} from '../../lib/files/durable-files.ts';
import { withFile } from '../../lib/files/with-file.ts';
import { Journal, type JournalPorts } from '../journal.ts';
import { sweepTemporaries } from '../layout.ts';
import { formatChecksum } from '../lines/framing.ts';
import { checksumOfRange, NO_BYTES } from '../lines/whole-checksum.ts';
import { quarantineFile, quarantineRange } from '../quarantine.ts';
import type { AnyRecord } from '../record-format.ts';
import { journalOfRun } from '../runs/goal-id.ts';
import { markSetAside } from '../set-aside.ts';
import { writeSnapshot } from '../snapshot.ts';
import { isNothing, type RepairPlace, type RepairWork } from './contract.ts';
import { pinnedState } from './pinned-state.ts';
import { planRepair } from './plan.ts';
import { writePieces } from './repaired-bytes.ts';

export interface Repair<State> {
  /** What was done; the same as planned. */
  readonly work: RepairWork<State>;
  /** Where the removed parts of the journal, and an unusable snapshot, are now. */
  readonly quarantined: readonly string[];
  /** Where the other run's journal that was there is now. */
  readonly other: string | null;
}

/**
 * Carries out `planRepair`. The caller holds the lock and has asked the user. Returns `null` if there is
 * nothing to do. Throws what `planRepair` throws, E_DISK_FULL, E_IO.
 */
export function repairJournal<State, R extends AnyRecord>(
  place: RepairPlace<State, R> & Pick<JournalPorts<R>, 'clock'>,
): Repair<State> | null {
  const { fs, layout } = place;
  return withStorageErrors(`repairing ${layout.history}`, () => {
    const work = planRepair(place);
    if (work === null || isNothing(work)) return null;
    const other = work.other === null ? null : storeOther({ fs, layout }, work.other.id);
    const quarantined = setAside(place, work);
    if (work.journal === 'set_aside') leaveMark(place, work, quarantined);
    else writeJournal(place, work, quarantined);
    sweepTemporaries(fs, layout);
    return { work, quarantined, other };
  });
}

/** Copies what is about to leave the journal, and the snapshot only if nothing needs it. */
function setAside<State, R extends AnyRecord>(
  { fs, layout }: RepairPlace<State, R>,
  work: RepairWork<State>,
): string[] {
  const moved: string[] = [];
  const { quarantine, history, state } = layout;
  const kind = fileKindAt(fs, history);
  if (kind !== null && (kind !== 'file' || work.journal === 'set_aside')) {
    moved.push(quarantineFile(fs, quarantine, history));
  } else if (kind === 'file') {
    const start = work.journal === 'rewritten' ? 0 : work.cut?.inFile;
    if (start !== undefined) moved.push(copied({ fs, layout }, start));
  }
  // Such a snapshot would block every start.
  if (work.snapshot === 'ahead') moved.push(quarantineFile(fs, quarantine, state));
  return moved;
}

/** Moves it to where switching goals would have put it; it contains nothing of this run. */
function storeOther({ fs, layout }: Where, run: string): string {
  const target = journalOfRun(layout, run);
  if (fileKindAt(fs, target) !== null) return quarantineFile(fs, layout.quarantine, layout.history);
  renameFile(fs, layout.history, target);
  syncDirectory(fs, layout.runs);
  syncDirectory(fs, layout.root);
  return target;
}

type Where = Pick<RepairPlace<unknown, AnyRecord>, 'fs' | 'layout'>;

function copied({ fs, layout }: Where, start: number): string {
  return withFile(fs, layout.history, (fd) => quarantineRange(fs, layout.quarantine, fd, start));
}

/** Tells later starts that there is no journal because a person decided so. */
function leaveMark<State, R extends AnyRecord>(
  { fs, layout }: RepairPlace<State, R>,
  { run }: RepairWork<State>,
  quarantined: readonly string[],
): void {
  markSetAside(fs, layout, { run, parts: quarantined.map((path) => basename(path)) });
}

function writeJournal<State, R extends AnyRecord>(
  ports: RepairPlace<State, R> & Pick<JournalPorts<R>, 'clock'>,
  work: RepairWork<State>,
  quarantined: readonly string[],
): void {
  const { fs, layout } = ports;
  if (work.journal === 'rewritten') rewrite(ports, work);
  const fd = fs.open(layout.history, 'r+');
  if (fs.size(fd) > work.end.size) fs.ftruncate(fd, work.end.size);
  fs.fsync(fd);
  const { seq, offset, chain, size } = work.end;
  const run = work.run ?? '';
  const crc = formatChecksum(checksumOfRange(fs, fd, { from: 0, to: size, seed: NO_BYTES }));
  const journal = new Journal(ports, fd, { run, seq, offset, chain, size, crc });
  try {
    record(ports, work, quarantined, journal);
  } finally {
    journal.close();
  }
}

function rewrite<State, R extends AnyRecord>(
  { fs, layout }: RepairPlace<State, R>,
  { pieces }: RepairWork<State>,
): void {
  const temporary = `${layout.history}${TEMPORARY_SUFFIX}`;
  discard(fs, temporary);
  const source = fileKindAt(fs, layout.history) === 'file' ? fs.open(layout.history, 'r') : null;
  try {
    withFile(
      fs,
      temporary,
      (target) => {
        writePieces(fs, source, target, pieces);
        fs.fsync(target);
      },
      'wx',
      0o600,
    );
  } finally {
    if (source !== null) fs.close(source);
  }
  renameFile(fs, temporary, layout.history);
  syncDirectory(fs, layout.root);
}

/** Records the loss in the journal, together with a state that needs none of the lost bytes. */
function record<State, R extends AnyRecord>(
  { fs, layout, fold, records }: RepairPlace<State, R>,
  { bridge, bridged, cut }: RepairWork<State>,
  quarantined: readonly string[],
  journal: Journal<R>,
): void {
  if (bridge !== null) {
    const pinned = journal.blobs.keep(pinnedState(fold.schema, bridge.state));
    let { state } = bridge;
    for (const one of records.unreadable(state, bridged, pinned))
      state = fold.reduce(state, journal.append(one));
    journal.sync();
    const position = journal.position();
    writeSnapshot(fs, layout, { ...position, schema: fold.schema, synced: true, state });
  }
  const [file] = quarantined;
  if (cut === null || cut.isTorn || file === undefined) return;
  journal.append(records.setAside({ at: cut.inFile, bytes: cut.bytes, file: basename(file) }));
  journal.sync();
}
