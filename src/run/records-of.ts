/** All records of an open run, oldest first, with their long texts. */
import type { ContextManager } from '../context-manager/context-manager.ts';
import { RUN_FORMAT } from '../context-manager/run-format.ts';
import { layoutOf } from '../journal/layout.ts';
import { readPage } from '../journal/read-journal.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { JournalRecord } from '../schema/records.ts';

interface Place {
  readonly context: ContextManager;
  /** Absolute real path. */
  readonly workspace: string;
  readonly fs: FileSystem;
}

export function* recordsOf({ context, workspace, fs }: Place): Generator<JournalRecord> {
  const { history } = layoutOf(workspace);
  let page = readPage({ fs, format: RUN_FORMAT }, history);
  for (;;) {
    for (const record of page.records) yield context.journal.readBack(record) as JournalRecord;
    if (page.isEnd) return;
    page = readPage({ fs, format: RUN_FORMAT }, history, page.next);
  }
}
