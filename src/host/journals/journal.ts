import { runPorts } from '../../context-manager/open-or-create.ts';
import { RUN_REPAIR } from '../../context-manager/repair-records.ts';
import { createTrace } from '../../context-manager/trace.ts';
import { type Layout, layoutOf, usableLayout } from '../../journal/layout.ts';
import { inspectLock } from '../../journal/lock/inspect-lock.ts';
import { refuseLinks } from '../../journal/no-links.ts';
import { readState } from '../../journal/read-journal.ts';
import { refuseStranger, refuseWhenLost } from '../../journal/removed/lost-journal.ts';
import { verifyChain } from '../../journal/repair/verify.ts';
import { listJournalledRuns } from '../../journal/runs/runs.ts';
import { adviceIn, type RecoveryHint, refusalOf, TardigradeError } from '../../lib/errors.ts';
import { fileKindAt } from '../../lib/files/durable-files.ts';
import { orNull } from '../../lib/or-null.ts';
import type { Machine } from '../../run/machine.ts';
import type { RunState } from '../../schema/state.ts';
import { layoutOfSession } from '../../sessions/places.ts';
import type { LockOwner, RunListing, VerifyReport } from '../engine-port.ts';
import { layoutOfRun } from './run-place.ts';
import { unsettledIn } from './unsettled.ts';

export function readRun({ fs, clock }: Machine, workspace: string, run?: string): RunState | null {
  const layout = layoutOfRun(fs, usableLayout(fs, workspace), run);
  const read = readState(runPorts({ fs, clock, layout }));
  if (read === null) refuseWhenLost(fs, layout);
  return read?.state ?? null;
}

export function listingOf({ fs }: Machine, workspace: string): readonly RunListing[] {
  return listJournalledRuns(runPorts({ fs, layout: usableLayout(fs, workspace) })).map((run) => ({
    id: run.id,
    number: run.number,
    goal: run.goal,
    startedAt: run.startedAt,
    lastAt: run.lastAt,
    isCurrent: run.isCurrent,
    status: run.problem === '' ? (run.ended ?? 'unfinished') : 'damaged',
    records: run.records,
  }));
}

/** The holder of the lock, as far as it can be read without touching it. */
export function lockOwner(
  { fs, identity }: Machine,
  workspace: string,
  session?: string,
): LockOwner | null {
  const layout = session === undefined ? layoutOf(workspace) : layoutOfSession(workspace, session);
  const sight = inspectLock({ fs, identity, directory: layout.lock });
  if (sight === null) return null;
  const { host, pid, since } = sight.owner;
  const begun = new Date(since);
  // A damaged owner file may have no time.
  const startTime = Number.isNaN(begun.getTime()) ? '' : begun.toISOString();
  return { host, pid, startTime, isAlive: sight.isAlive };
}

export function chainReport({ fs }: Machine, workspace: string): VerifyReport {
  const layout = usableLayout(fs, workspace);
  if (fileKindAt(fs, layout.root) !== 'directory') return { kind: 'none' };
  const found = verifyChain({ ...runPorts({ fs, layout }), records: RUN_REPAIR });
  if (found === null) return withoutJournal(fs, layout);
  const { records, bytes, goodBytes, problem, badBlobs, spans } = found;
  if (problem !== '') return { kind: 'damaged', offset: goodBytes, why: problem };
  let state: RunState | null = null;
  const refusal = refusalOf(() => {
    state = readState(runPorts({ fs, layout, clock: NO_CLOCK }))?.state ?? null;
  });
  if (refusal !== null)
    return { kind: 'damaged', offset: goodBytes, why: refusal.message, next: stepOf(refusal) };
  if (badBlobs.length > 0) {
    const why = `${badBlobs.length} blobs are missing or damaged, the first is ${badBlobs[0]}`;
    const hint =
      'Put them back into blobs/ from a backup; what they held cannot be undone or shown';
    return { kind: 'damaged', offset: goodBytes, why, next: { hint } };
  }
  const unreadable = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  const unsettled = unsettledIn(state, spans);
  return {
    kind: 'ok',
    records,
    bytes,
    ...(unreadable > 0 ? { unreadable } : {}),
    ...(unsettled.length > 0 ? { unsettled } : {}),
  };
}

const stepOf = (error: TardigradeError): RecoveryHint => ({ hint: error.hint, ...adviceIn(error) });

const NO_CLOCK = { now: () => 0 };

function withoutJournal(fs: Machine['fs'], layout: Layout): VerifyReport {
  const refusal = refusalOf(() => {
    refuseStranger(fs, layout.history);
    refuseWhenLost(fs, layout);
  });
  return refusal === null
    ? { kind: 'none' }
    : { kind: 'missing', why: refusal.message, next: stepOf(refusal) };
}

/** The path of the log; `null`: it could not be written, such as without a state directory. Never throws. */
export function logError(machine: Machine, workspace: string, error: unknown): string | null {
  const { fs, clock } = machine;
  // Only the first error is worth reporting.
  return orNull(() => {
    const layout = layoutOf(workspace);
    if (fileKindAt(fs, layout.root) !== 'directory') return null;
    refuseLinks(fs, layout);
    const cause = error instanceof TardigradeError && error.cause ? error.cause : error;
    const trace = createTrace({ fs, layout });
    trace.internalError(clock.now(), cause);
    trace.close();
    return layout.log;
  });
}
