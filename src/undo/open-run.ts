/** Undoes an open run: restores every file that its tools changed. */

import type { ContextManager } from '../context-manager/context-manager.ts';
import { layoutOf } from '../journal/layout.ts';
import { unlessDamaged } from '../journal/read-journal.ts';
import { storageError } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import type { Interruptible } from '../lib/interruptible.ts';
import { isSwapping } from '../schema/journal/swap.ts';
import type { RunState } from '../schema/state.ts';
import { readingForUndo } from './records.ts';
import type { UndoRecord } from './remnants.ts';
import type { UndoReport } from './report.ts';
import { undoing, undoPorts, type WritableJournal } from './restore.ts';
import { finishing, type SwapDeps } from './swap.ts';

interface OnOpenRun {
  readonly context: ContextManager;
  /** Absolute real path. */
  readonly workspace: string;
}

interface SwapJournal extends WritableJournal {
  readonly state: Pick<RunState, 'swap'>;
  readonly journal: Pick<ContextManager['journal'], 'blobs' | 'readAt'>;
}

export const swapDeps = (
  context: SwapJournal,
  { fs, workspace }: { readonly fs: FileSystem; readonly workspace: string },
): SwapDeps => ({
  ...undoPorts(context),
  fs,
  workspace,
  state: () => context.state,
  readStarted: (offset) => {
    const record = unlessDamaged(() => context.journal.readAt(offset));
    if (record !== null && record.type !== 'swap_started')
      throw new Error(`No swap begins at byte ${offset}.`);
    return record;
  },
});

/** Continues an undo or swap that was cut off. */
export function* movingOn(
  opened: OnOpenRun,
  machine: { readonly fs: FileSystem },
): Interruptible<void> {
  const { context, workspace } = opened;
  if (isSwapping(context.state)) yield* finishing(swapDeps(context, { ...machine, workspace }));
  else yield* undoingOpened(opened, machine);
  context.settle();
}

/** Undoes the open run, or continues an undo that was cut off. Throws what `undoing` throws. */
export function* undoingOpened(
  { context, workspace }: OnOpenRun,
  { fs }: { readonly fs: FileSystem },
): Interruptible<UndoReport> {
  const records = yield* recordsIn({ fs, workspace });
  const deps = { ...undoPorts(context), fs, workspace, records: () => records };
  const report = yield* undoing(deps);
  context.settle();
  return report;
}

function* recordsIn(at: {
  readonly fs: FileSystem;
  readonly workspace: string;
}): Interruptible<readonly UndoRecord[]> {
  const layout = layoutOf(at.workspace);
  try {
    return (yield* readingForUndo({ fs: at.fs, layout }))?.records ?? [];
  } catch (error) {
    throw storageError(error, `reading ${layout.root}`);
  }
}
