/** Finds the journal of one run: of the current run, or of another one. */
import { RUN_FORMAT } from '../../context-manager/run-format.ts';
import { type Layout, prepareLayout } from '../../journal/layout.ts';
import { acquireLock } from '../../journal/lock/lock.ts';
import { listJournalledRuns, runNamed } from '../../journal/runs/runs.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { Machine } from '../../run/machine.ts';

/**
 * The paths for reading or undoing a run without making it the current one. `state.json` belongs to the current run, so
 * it is ignored for any other. Throws E_USAGE if there is no such run.
 * @param run its id; left out: the current one
 */
export function layoutOfRun(fs: FileSystem, layout: Layout, run: string | undefined): Layout {
  if (run === undefined) return layout;
  const { isCurrent, file } = runNamed(listJournalledRuns({ fs, layout, format: RUN_FORMAT }), run);
  return isCurrent ? layout : { ...layout, history: file };
}

/** Changes a folder's state under its lock. Throws E_LOCKED. */
export function underLock<Result>(
  { fs, clock, identity }: Machine,
  layout: Layout,
  { forceUnlock }: { readonly forceUnlock: boolean },
  work: () => Result,
): Result {
  prepareLayout(fs, layout);
  const ports = { fs, directory: layout.lock, identity, clock };
  const lock = acquireLock(ports, { force: forceUnlock });
  try {
    return work();
  } finally {
    lock.release();
  }
}
