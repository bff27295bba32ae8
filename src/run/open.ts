/** From a folder and a goal to an open journal under lock, or the news that nothing is left to do. */
import { ContextManager } from '../context-manager/context-manager.ts';
import { STATE_SCHEMA, step } from '../context-manager/fold/fold.ts';
import { chooseRun, makeCurrent } from '../journal/goals.ts';
import { layoutOf, prepareLayout } from '../journal/layout.ts';
import { acquireLock } from '../journal/lock/lock.ts';
import { createJournal, type Fold, type OpenedJournal, openJournal } from '../journal/recover.ts';
import { errorCode } from '../lib/durable-files.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { Emit } from '../schema/events.ts';
import type { RunState } from '../schema/state.ts';
import type { Machine } from './machine.ts';

export const RUN_FOLD: Fold<RunState> = { schema: STATE_SCHEMA, step };

export interface OpenRequest {
  /** `null`: go on with the current run. */
  readonly goal: string | null;
  readonly workspace: string;
  readonly again: boolean;
  readonly forceUnlock: boolean;
  readonly version: string;
  readonly emit: Emit;
}

export interface OpenedRun {
  readonly context: ContextManager;
  /** Absolute real path. */
  readonly workspace: string;
  readonly isResumed: boolean;
  /** True when an undo of the current run was cut off: it is finished before anything else. */
  readonly hasOpenUndo: boolean;
  /** Closes the journal and gives the lock up. */
  close(): void;
}

/** Throws E_USAGE, E_WORKSPACE, E_LOCKED, and everything that opening a journal can say. */
export function openRun(request: OpenRequest, machine: Machine): OpenedRun {
  const { fs, clock, identity } = machine;
  const workspace = realWorkspace(request.workspace, machine);
  const layout = layoutOf(workspace);
  prepareLayout(fs, layout);
  const lock = acquireLock(
    { fs, directory: layout.lock, identity, clock },
    { force: request.forceUnlock },
  );
  try {
    const ports = { fs, layout, clock, fold: RUN_FOLD };
    const { opened, isResumed } = openOrCreate(request, ports);
    const context = new ContextManager(opened, { fs, layout, clock, emit: request.emit });
    tellWhatWasFound(opened, request.emit);
    if (!isResumed) context.tellOpening();
    return {
      context,
      workspace,
      isResumed,
      hasOpenUndo: isUndoing(opened.state),
      close: () => {
        context.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

type Ports = Parameters<typeof openJournal<RunState>>[0];

function openOrCreate(
  { goal, again, version }: OpenRequest,
  ports: Ports,
): { readonly opened: OpenedJournal<RunState>; readonly isResumed: boolean } {
  const choice = chooseRun(ports, goal);
  const undoing = choice.kind !== 'new' && choice.run.isCurrent ? null : openUndoing(ports);
  if (undoing) return { opened: undoing, isResumed: true };
  const isUndone = choice.kind === 'finished' && choice.run.ended === 'undone' && goal !== null;
  if (choice.kind !== 'new' && !again && !isUndone) {
    makeCurrent(ports, choice.run);
    const opened = openJournal(ports);
    if (opened) return { opened, isResumed: true };
  }
  const next = goal ?? (choice.kind === 'new' ? null : choice.run.goal);
  if (next === null)
    throw new TardigradeError(
      'E_USAGE',
      'There is no run to resume in this folder.',
      'Start one with: agent "your goal"',
    );
  makeCurrent(ports, null);
  return { opened: createJournal(ports, { goal: next, version }), isResumed: false };
}

const isUndoing = ({ undo }: RunState): boolean => undo !== null && !undo.finished;

/** The current journal, when it is in the middle of an undo and another goal would move it away. */
function openUndoing(ports: Ports): OpenedJournal<RunState> | null {
  const opened = openJournal(ports);
  if (opened === null || isUndoing(opened.state)) return opened;
  opened.journal.close();
  return null;
}

function tellWhatWasFound(opened: OpenedJournal<RunState>, emit: Emit): void {
  if (!opened.quarantined) return;
  const { bytes, file } = opened.quarantined;
  emit({
    type: 'notice',
    level: 'warning',
    text: `The journal ended in the middle of a record: ${bytes} bytes were moved to ${file}.`,
  });
}

function realWorkspace(workspace: string, { fs }: Machine): string {
  const refuse = (message: string, cause?: unknown) =>
    new TardigradeError('E_WORKSPACE', message, 'Name an existing folder with --workspace.', {
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
