/** Undo on an open run: every file that its tools changed goes back. */

import type { ContextManager } from '../context-manager/context-manager.ts';
import { layoutOf } from '../journal/layout.ts';
import { storageError } from '../lib/durable-files.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { InPieces } from '../lib/pieces.ts';
import { readingForUndo } from './records.ts';
import type { UndoRecord } from './remnants.ts';
import type { UndoReport } from './report.ts';
import { undoing, undoPorts } from './restore.ts';

interface OnOpenRun {
  readonly context: ContextManager;
  /** Absolute real path. */
  readonly workspace: string;
}

export const portsOn = (context: ContextManager): ReturnType<typeof undoPorts> =>
  undoPorts({
    record: (record) => context.record(record),
    sync: () => context.sync('effect'),
    blobs: context.journal.blobs,
  });

/** Undoes the open run, or goes on with an undo that was cut off. Errors as `undoing`. */
export function* undoingOpened(
  { context, workspace }: OnOpenRun,
  { fs }: { readonly fs: FileSystem },
): InPieces<UndoReport> {
  const records = yield* recordsIn({ fs, workspace });
  const deps = { ...portsOn(context), fs, workspace, records: () => records };
  const report = yield* undoing(deps);
  context.settle();
  return report;
}

function* recordsIn(at: {
  readonly fs: FileSystem;
  readonly workspace: string;
}): InPieces<readonly UndoRecord[]> {
  const layout = layoutOf(at.workspace);
  try {
    return (yield* readingForUndo({ fs: at.fs, layout }))?.records ?? [];
  } catch (error) {
    throw storageError(error, `reading ${layout.root}`);
  }
}
