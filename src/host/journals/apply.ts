/** Applies the withheld changes of a run to the folder, and finishes a swap that was interrupted. */
import type { Accept } from '../../context-manager/origin.ts';
import { RUN_FORMAT } from '../../context-manager/run-format.ts';
import { layoutOf } from '../../journal/layout.ts';
import { listJournalledRuns, makeCurrent, runNamed } from '../../journal/runs/runs.ts';
import { misuse, TardigradeError } from '../../lib/errors.ts';
import { runSync } from '../../lib/interruptible.ts';
import type { Machine } from '../../run/machine.ts';
import { isSwapping, isWithheld } from '../../schema/journal/swap.ts';
import { swapDeps } from '../../undo/open-run.ts';
import { bringingIn, finishing, setOf } from '../../undo/swap.ts';
import type { ApplyReport, ApplyRequest } from './apply-contract.ts';
import { readRun } from './journal.ts';
import { underLock } from './run-place.ts';
import { noRun, withJournal } from './with-journal.ts';

/**
 * Throws E_LOCKED, E_FOREIGN, E_USAGE without a run, and what the journal and the disk throw. Calling it again
 * continues.
 */
export function apply(machine: Machine, request: ApplyRequest, accept: Accept): ApplyReport {
  const { fs } = machine;
  const workspace = fs.realpath(request.workspace);
  const layout = layoutOf(workspace);
  return underLock(machine, layout, request, () => {
    finishSwap(machine, workspace, accept);
    const place = { fs, layout, format: RUN_FORMAT };
    const runs = listJournalledRuns(place);
    const current = runs.find(({ isCurrent }) => isCurrent);
    const meant = request.run === undefined ? current : runNamed(runs, request.run);
    if (meant === undefined) throw noRun();
    makeCurrent(place, meant);
    try {
      return applyCurrent(machine, request, workspace, accept);
    } finally {
      // If this is interrupted, the next start finishes it, since it looks at the current run.
      const goesBack = current !== undefined && !isCutOff(machine, workspace, mayBeOpened);
      if (goesBack) makeCurrent(place, runNamed(listJournalledRuns(place), current.id));
    }
  });
}

function applyCurrent(
  machine: Machine,
  { onRecord }: ApplyRequest,
  workspace: string,
  accept: Accept,
): ApplyReport {
  const place = { layout: layoutOf(workspace), accept };
  const apply = (opened: Parameters<Parameters<typeof withJournal>[2]>[0]): ApplyReport => {
    const deps = swapDeps(opened, { ...machine, workspace });
    const { swap, undo } = opened.state;
    if (undo?.finished) throw undone();
    // A file that was left alone the first time may be unchanged again.
    const isLeft = swap?.to === 'run' && swap.left.length > 0;
    if (!isWithheld(opened.state) && !isLeft)
      return { outcome: swap?.to === 'run' ? 'already_applied' : 'nothing_to_apply', ...NOTHING };
    runSync(bringingIn(deps, true));
    const leftAlone = opened.state.swap?.left ?? [];
    const isLeftAlone = new Set(leftAlone.map(({ path }) => path));
    const paths = (setOf(deps)?.files ?? []).map(({ path }) => path);
    const applied = paths.filter((path) => !isLeftAlone.has(path)).sort();
    return { outcome: applied.length === 0 ? 'left_alone' : 'applied', applied, leftAlone };
  };
  return withJournal(machine, place, apply, onRecord);
}

const NOTHING = { applied: [], leftAlone: [] };

/** Finishes a swap of the current run. Others report an unreadable journal. */
export function finishSwap(machine: Machine, workspace: string, accept: Accept): void {
  if (!isCutOff(machine, workspace, () => false)) return;
  withJournal(machine, { layout: layoutOf(workspace), accept }, (opened) =>
    runSync(finishing(swapDeps(opened, { ...machine, workspace }))),
  );
}

function isCutOff(
  machine: Machine,
  workspace: string,
  unread: (error: unknown) => boolean,
): boolean {
  try {
    const state = readRun(machine, workspace);
    return state !== null && isSwapping(state);
  } catch (error) {
    return unread(error);
  }
}

/**
 * True unless the journal can never be opened. If that is unknown now, the run that may be half applied stays
 * the current one.
 */
const mayBeOpened = (error: unknown): boolean =>
  !(error instanceof TardigradeError && NEVER_OPENED.has(error.code));

/** A journal with one of these cannot be opened, so nothing was begun in it. */
const NEVER_OPENED: ReadonlySet<string> = new Set(['E_JOURNAL_CORRUPT', 'E_TOO_NEW']);

const undone = (): TardigradeError =>
  misuse('This run was undone, so there is nothing to apply.', 'Start its goal over.');
