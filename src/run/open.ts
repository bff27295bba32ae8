/** Turns a folder and a goal into an open journal under lock, or reports that no work is left. */
import { ContextManager, type Loaded } from '../context-manager/context-manager.ts';
import type { OpenBeforeImageCopies } from '../context-manager/context-ports.ts';
import { isMovingFiles } from '../context-manager/open-or-create.ts';
import { UNCHECKED } from '../context-manager/origin.ts';
import { RUN_FORMAT } from '../context-manager/run-format.ts';
import { type Layout, layoutOf, prepareLayout } from '../journal/layout.ts';
import { type Lock, leaseOver, lockGone } from '../journal/lock/contract.ts';
import { inspectLock } from '../journal/lock/inspect-lock.ts';
import { acquireLock } from '../journal/lock/lock.ts';
import { isSameGoal } from '../journal/runs/goal-id.ts';
import { chooseById, chooseRun, listJournalledRuns } from '../journal/runs/runs.ts';
import { TardigradeError } from '../lib/errors.ts';
import { errorCode } from '../lib/files/durable-files.ts';
import { type Interruptible, interruptibleRunner, runSync } from '../lib/interruptible.ts';
import { NO_SECRETS } from '../llm/secrets/redactor.ts';
import type { RunEvent } from '../schema/events/events.ts';
import { beforeImageCopiesOf } from '../undo/before-image-copies.ts';
import { movingOn } from '../undo/open-run.ts';
import type { Machine } from './machine.ts';
import type { RunRequest } from './options.ts';

export type OpenRunRequest = Pick<
  RunRequest,
  'goal' | 'workspace' | 'again' | 'forceUnlock' | 'emit' | 'machine'
> &
  Partial<
    Pick<
      RunRequest,
      | 'redactor'
      | 'origin'
      | 'run'
      | 'signal'
      | 'wants'
      | 'keep'
      | 'withTests'
      | 'proof'
      | 'roles'
      | 'plainTry'
      | 'template'
      | 'parent'
      | 'backupFolder'
      | 'leases'
    >
  >;

export type OpenedRun = Opened<ContextManager>;

/** A run or conversation that this process holds under its lock. */
export interface Opened<Context extends ContextManager> extends Guarded {
  readonly context: Context;
  /** Absolute real path. */
  readonly workspace: string;
  /** The paths of its journal. */
  readonly layout: Layout;
  readonly isResumed: boolean;
}

interface Guarded {
  /** True while journal and lock still belong to this process; afterwards nothing may be written. */
  isOurs(): boolean;
  /** The token of the lease that this start takes. It is in the lock when this returns. */
  takeToken(): number;
  /** Closes the journal and releases the lock. */
  close(): void;
}

/**
 * Opens the run of a goal or begins one. An undo or swap that was cut off is finished first, whichever run it
 * belongs to. Throws E_USAGE, E_WORKSPACE, E_LOCKED, E_FOREIGN, and whatever opening a journal throws. If
 * aborted while it reads a long journal it throws E_INTERRUPTED and nothing has changed; if aborted during such
 * an undo it throws the same, and what was restored so far is recorded.
 */
export async function openOrBegin(request: OpenRunRequest): Promise<OpenedRun> {
  const { machine, signal = new AbortController().signal } = request;
  const runInterruptibly = interruptibleRunner(machine.clock, signal);
  const opened = await runInterruptibly(openingUnderLock(request));
  const { context } = opened;
  if (!isMovingFiles(context.state)) return opened;
  const { goal, run } = context.state;
  try {
    await runInterruptibly(movingOn(opened, request.machine));
  } catch (error) {
    opened.close();
    throw error;
  }
  const isOther = request.run !== undefined && request.run !== run;
  const isMeant = !isOther && (request.goal === null || isSameGoal(request.goal, goal));
  if (isMeant && !request.again) return opened;
  opened.close();
  return runInterruptibly(openingUnderLock(request));
}

/** The event for observers once a run has a model and settings. */
export function startedEvent({
  context,
  isResumed,
}: OpenedRun): Extract<RunEvent, { type: 'begun' }> {
  const first = context.readAny(0);
  const number = first.type === 'run_opened' ? (first.number ?? null) : null;
  return { type: 'begun', state: context.state, number, isResumed };
}

/** True when a start would begin a new run. It only looks; obstacles are reported when the run is opened. */
export function beginsAnew({ goal, again, run, workspace, machine }: OpenRunRequest): boolean {
  const { fs, identity } = machine;
  const layout = layoutOf(workspace);
  try {
    // If another process works in the folder, no model needs to be loaded.
    const isHeld = inspectLock({ fs, identity, directory: layout.lock })?.isAlive === true;
    if (goal === null || isHeld) return false;
    const place = { fs, layout, format: RUN_FORMAT };
    const choice =
      run === undefined ? chooseRun(place, goal) : chooseById(listJournalledRuns(place), run, goal);
    return again || choice.kind === 'new';
  } catch {
    return false;
  }
}

/** Opens without finishing an interrupted undo or swap: the caller does what the person asked for. */
export const openUnderLock = (request: OpenRunRequest): OpenedRun =>
  runSync(openingUnderLock(request));

function* openingUnderLock(request: OpenRunRequest): Interruptible<OpenedRun> {
  const { machine, emit, redactor = NO_SECRETS, origin = UNCHECKED } = request;
  const { fs, clock, identity } = machine;
  const workspace = realWorkspace(request.workspace, machine);
  const layout = layoutOf(workspace);
  prepareLayout(fs, layout);
  const lock = acquireLock(
    { fs, directory: layout.lock, identity, clock, leases: request.leases },
    { force: request.forceUnlock },
  );
  try {
    const beforeImageCopies = beforeImageCopiesFor(request, workspace, layout);
    const ports = { fs, layout, clock, emit, redactor, origin, beforeImageCopies };
    const loaded = yield* ContextManager.loadOrInit(ports, request);
    reportRecovery(loaded, request);
    return heldUnder(lock, { ...loaded, workspace, layout });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Combines an open run or conversation with the functions that guard its journal. */
export function heldUnder<Context extends ContextManager>(
  lock: Omit<Lock, 'owner'>,
  { context, workspace, layout, isResumed }: Omit<Opened<Context>, keyof Guarded>,
): Opened<Context> {
  const { watch } = context.journal;
  if (!isResumed) context.emitOpening();
  const lost = () =>
    lock.isTaken() ? lockGone(layout.lock) : lock.isLate() ? leaseOver(layout.lock) : null;
  watch.guard(lost);
  return {
    context,
    workspace,
    layout,
    isResumed,
    takeToken: () => lock.takeToken(context.state.lease?.token ?? (isResumed ? 1 : 0)),
    isOurs: () => {
      if (!watch.isOurs()) return false;
      lock.renew();
      if (!lock.isLate() && lock.isHeld()) return true;
      watch.giveUp(lost() ?? lockGone(layout.lock));
      return false;
    },
    close: () => {
      context.close();
      lock.release();
    },
  };
}

export const beforeImageCopiesFor =
  (
    { backupFolder = null, machine }: Pick<OpenRunRequest, 'backupFolder' | 'machine'>,
    workspace: string,
    layout: Layout,
  ): OpenBeforeImageCopies =>
  ({ journal, state: { run: id, goal, chat } }, warn) => {
    const first = journal.readAt(0);
    const number = first.type === 'run_opened' ? (first.number ?? null) : null;
    const what =
      chat === undefined
        ? ({ kind: 'run', title: goal } as const)
        : ({ kind: 'session', title: chat.name ?? '' } as const);
    const about = { workspace, id, number, ...what };
    return beforeImageCopiesOf({ backupFolder, machine }, about, { journal, layout }, warn);
  };

function reportRecovery(
  { quarantined }: Pick<Loaded, 'quarantined'>,
  { emit }: Pick<OpenRunRequest, 'emit'>,
): void {
  if (!quarantined) return;
  const { bytes, file } = quarantined;
  emit({
    type: 'notice',
    level: 'warning',
    text: `The end of the journal was never finished: ${bytes} bytes were moved to ${file}.`,
  });
}

/** Absolute path with links resolved. Throws E_WORKSPACE if it is not a folder. */
export function realWorkspace(workspace: string, { fs }: Pick<Machine, 'fs'>): string {
  const refuse = (message: string, cause?: unknown) =>
    new TardigradeError('E_WORKSPACE', message, 'Name an existing folder.', {
      cause,
    });
  let real: string;
  let isFolder: boolean;
  try {
    real = fs.realpath(workspace);
    isFolder = fs.stat(real).kind === 'directory';
  } catch (error) {
    throw refuse(`The workspace ${workspace} cannot be opened (${errorCode(error)}).`, error);
  }
  if (!isFolder) throw refuse(`The workspace ${workspace} is not a folder.`);
  return real;
}
