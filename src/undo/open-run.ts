/** Undo on an open run: every file that its tools changed goes back. */

import type { ContextManager } from '../context-manager/context-manager.ts';
import { type Layout, layoutOf } from '../journal/layout.ts';
import { storageError } from '../lib/durable-files.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { InPieces } from '../lib/pieces.ts';
import type { UndoRecord } from './record.ts';
import { readingForUndo } from './records.ts';
import { type UndoReport, undoing } from './restore.ts';

interface OnOpenRun {
  readonly context: ContextManager;
  /** Absolute real path. */
  readonly workspace: string;
}

/** Undoes the open run, or goes on with an undo that was cut off. Errors as `undoRun`. */
export function* undoingOpened(
  { context, workspace }: OnOpenRun,
  { fs }: { readonly fs: FileSystem },
): InPieces<UndoReport> {
  const records = yield* recordsIn(fs, layoutOf(workspace));
  const report = yield* undoing({
    fs,
    workspace,
    records: () => records,
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

function* recordsIn(fs: FileSystem, layout: Layout): InPieces<readonly UndoRecord[]> {
  try {
    return (yield* readingForUndo({ fs, layout }))?.records ?? [];
  } catch (error) {
    throw storageError(error, `reading ${layout.root}`);
  }
}
