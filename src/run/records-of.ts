/** Reads all records of an open run, oldest first, with their long texts. */
import type { ContextManager } from '../context-manager/context-manager.ts';
import { RUN_FORMAT } from '../context-manager/run-format.ts';
import { layoutOf } from '../journal/layout.ts';
import { pagesOf } from '../journal/read-journal.ts';
import { salvage } from '../journal/repair/salvage.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import type { JournalRecord } from '../schema/records.ts';

export interface RecordSource {
  readonly context: ContextManager;
  /** Absolute real path. */
  readonly workspace: string;
  readonly fs: FileSystem;
}

/** Skips the parts that a repair marked as unreadable. A start refuses any other damage. */
function* behindGaps(
  { context, fs, history }: Omit<RecordSource, 'workspace'> & { readonly history: string },
  seq: number,
): Generator<JournalRecord> {
  const fd = fs.open(history, 'r');
  try {
    for (const part of salvage(fs, fd, RUN_FORMAT)) {
      if (part.kind !== 'record' || !part.isChecked || part.record.seq < seq) continue;
      yield context.journal.readBack(part.record) as JournalRecord;
    }
  } finally {
    fs.close(fd);
  }
}

/** @param types the wanted record types; long texts of other types are not read. Left out: all types */
export function* recordsOf(
  { context, workspace, fs }: RecordSource,
  types?: readonly JournalRecord['type'][],
): Generator<JournalRecord> {
  const { history } = layoutOf(workspace);
  const isWanted = ({ type }: JournalRecord): boolean => types?.includes(type) ?? true;
  for (const { records, next, problem } of pagesOf({ fs, format: RUN_FORMAT }, history)) {
    for (const record of records)
      if (isWanted(record)) yield context.journal.readBack(record) as JournalRecord;
    if (problem !== '') yield* behindGaps({ context, fs, history }, next.seq);
  }
}
