/** What the run would forget if its journal ended earlier. */
import { RUN_FORMAT } from '../../context-manager/run-format.ts';
import { type Salvaged, salvage } from '../../journal/repair/salvage.ts';
import { fileKindAt } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { withFile } from '../../lib/files/with-file.ts';
import type { JournalRecord } from '../../schema/records.ts';
import { changesIn } from '../../undo/remnants.ts';

export interface LostRecords {
  /** Records that are still readable there, and lines that are not. */
  readonly records: number;
  readonly unreadable: number;
  readonly turns: number;
  readonly actions: number;
  readonly subtasks: number;
  /** Files whose former content is named only in this part. */
  readonly files: readonly string[];
}

export function lostRecordsIn(fs: FileSystem, history: string, start: number): LostRecords | null {
  if (fileKindAt(fs, history) !== 'file') return null;
  return withFile(fs, history, (fd) => {
    const before = new Set<string>();
    for (const part of salvage(fs, fd, RUN_FORMAT, { end: start }))
      for (const { path } of changesIn(part)) before.add(path);
    const lost = { records: 0, unreadable: 0, turns: 0, actions: 0, subtasks: 0 };
    const files = new Set<string>();
    for (const part of salvage(fs, fd, RUN_FORMAT, { start })) {
      countOne(lost, part);
      for (const { path } of changesIn(part)) if (!before.has(path)) files.add(path);
    }
    return { ...lost, files: [...files] };
  });
}

type Counts = { -readonly [Key in Exclude<keyof LostRecords, 'files'>]: number };

function countOne(lost: Counts, part: Salvaged<JournalRecord>): void {
  if (part.kind === 'line') {
    lost.unreadable += 1;
    return;
  }
  lost.records += 1;
  const { type } = part.record;
  if (type === 'turn_finished') lost.turns += 1;
  else if (type === 'action_finished') lost.actions += 1;
  else if (type === 'subtask_finished') lost.subtasks += 1;
}
