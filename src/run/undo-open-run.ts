/** Undo on an open run: every file that its tools changed goes back. */

import type { ContextManager } from '../context-manager/context-manager.ts';
import { layoutOf } from '../journal/layout.ts';
import type { InPieces } from '../lib/pieces.ts';
import type { Machine } from './machine.ts';
import { type UndoReport, undoing } from './undo.ts';
import { readForUndo } from './undo-records.ts';

interface OnOpenRun {
  readonly context: ContextManager;
  /** Absolute real path. */
  readonly workspace: string;
}

/** Undoes the open run, or goes on with an undo that was cut off. Errors as `undoRun`. */
export function* undoingOpened(
  { context, workspace }: OnOpenRun,
  { fs }: Machine,
): InPieces<UndoReport> {
  const report = yield* undoing({
    fs,
    workspace,
    records: () => readForUndo({ fs, layout: layoutOf(workspace) })?.records ?? [],
    append: (record) => {
      context.record(record);
      context.sync('effect');
    },
    readBlob: (hash) => context.journal.blobs.read(hash),
    keepBlob: (bytes) => {
      const blob = context.journal.blobs.keep(bytes);
      context.sync('effect');
      return blob;
    },
  });
  context.settle();
  return report;
}
