/** Undo on an open run: every file that its tools changed goes back. */

import type { ContextManager } from '../context-manager/context-manager.ts';
import { RUN_FORMAT } from '../context-manager/run-format.ts';
import { layoutOf } from '../journal/layout.ts';
import { readPage } from '../journal/read-journal.ts';
import type { JournalRecord } from '../schema/records.ts';
import type { Machine } from './machine.ts';
import { type UndoReport, undoRun } from './undo.ts';

interface OnOpenRun {
  readonly context: ContextManager;
  /** Absolute real path. */
  readonly workspace: string;
}

/** Undoes the open run, or goes on with an undo that was cut off. Errors as `undoRun`. */
export function undoOpened({ context, workspace }: OnOpenRun, { fs }: Machine): UndoReport {
  const report = undoRun({
    fs,
    workspace,
    records: () => recordsOf(context, workspace, fs),
    append: (record) => void context.record(record),
    readBlob: (hash) => context.journal.blobs.read(hash),
  });
  context.snapshot();
  return report;
}

function* recordsOf(
  context: ContextManager,
  workspace: string,
  fs: Machine['fs'],
): Generator<JournalRecord> {
  const { history } = layoutOf(workspace);
  let page = readPage({ fs, format: RUN_FORMAT }, history);
  for (;;) {
    for (const record of page.records) yield context.journal.readBack(record) as JournalRecord;
    if (page.isEnd) return;
    page = readPage({ fs, format: RUN_FORMAT }, history, page.next);
  }
}
