import { runPorts } from '../context-manager/open-or-create.ts';
import { createTrace } from '../context-manager/trace.ts';
import { listRuns } from '../journal/goals.ts';
import { layoutOf, prepareLayout } from '../journal/layout.ts';
import { acquireLock } from '../journal/lock/lock.ts';
import { lookAtLock } from '../journal/lock/look.ts';
import { refuseLinks } from '../journal/no-links.ts';
import { readState } from '../journal/read-journal.ts';
import { repairJournal, verifyChain } from '../journal/repair.ts';
import { kindOf } from '../lib/durable-files.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { Machine } from '../run/machine.ts';
import type { RunState } from '../schema/state.ts';
import type {
  ChainReport,
  LockOwner,
  RepairReport,
  RepairRequest,
  RunListing,
} from './engine-port.ts';

/** What the reading commands need of the state directory. */
export function readRun({ fs, clock }: Machine, workspace: string): RunState | null {
  return readState(runPorts({ fs, clock, layout: layoutOf(workspace) }))?.state ?? null;
}

export function listingOf({ fs }: Machine, workspace: string): readonly RunListing[] {
  return listRuns(runPorts({ fs, layout: layoutOf(workspace) })).map((run) => ({
    id: run.id,
    goal: run.goal,
    startedAt: run.startedAt,
    isCurrent: run.isCurrent,
    status: run.problem === '' ? (run.ended ?? 'unfinished') : 'damaged',
    records: run.records,
  }));
}

/** Who holds the lock, as far as that can be read without touching it. */
export function lockOwner({ fs, identity }: Machine, workspace: string): LockOwner | null {
  const sight = lookAtLock({ fs, identity, directory: layoutOf(workspace).lock });
  if (sight === null) return null;
  const { host, pid, since } = sight.owner;
  return { host, pid, startTime: new Date(since).toISOString(), isAlive: sight.isAlive };
}

export function chainReport({ fs }: Machine, workspace: string): ChainReport {
  const found = verifyChain(runPorts({ fs, layout: layoutOf(workspace) }));
  if (found === null) return { kind: 'none' };
  const { records, bytes, goodBytes, problem, badBlobs } = found;
  if (problem !== '') return { kind: 'damaged', offset: goodBytes, why: problem };
  if (badBlobs.length > 0) {
    const why = `${badBlobs.length} blobs are missing or damaged, the first is ${badBlobs[0]}`;
    return { kind: 'damaged', offset: goodBytes, why };
  }
  return { kind: 'ok', records, bytes };
}

export function repair(machine: Machine, request: RepairRequest): RepairReport {
  const { fs, clock, identity } = machine;
  const layout = layoutOf(request.workspace);
  const nothing = (detail: string): RepairReport => ({
    changed: false,
    keptRecords: 0,
    quarantine: null,
    detail,
  });
  if (kindOf(fs, layout.history) === null) return nothing('there is no journal in this folder.');
  prepareLayout(fs, layout);
  const ports = { fs, directory: layout.lock, identity, clock };
  const lock = acquireLock(ports, { force: request.forceUnlock });
  try {
    const done = repairJournal(runPorts({ fs, layout }));
    if (done === null || done.quarantined.length === 0) {
      return nothing('the journal is intact.');
    }
    return {
      changed: true,
      keptRecords: done.kept,
      quarantine: done.quarantined.join(', '),
      detail: `${done.cut} bytes were cut off.`,
    };
  } finally {
    lock.release();
  }
}

/** The path of the log, or `null` where there is no state directory to hold one. */
export function logError(machine: Machine, workspace: string, error: unknown): string | null {
  const { fs, clock } = machine;
  const layout = layoutOf(workspace);
  if (kindOf(fs, layout.root) !== 'directory') return null;
  refuseLinks(fs, layout);
  const cause = error instanceof TardigradeError && error.cause ? error.cause : error;
  createTrace({ fs, layout }).internalError(clock.now(), cause);
  return layout.log;
}
