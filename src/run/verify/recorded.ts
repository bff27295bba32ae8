/** Reads the records of a run once, for all questions of its verdict. */

import { type FilesBySubtask, readingFilesBySubtask } from '../../evidence/beyond.ts';
import { eachOf, type Records, type RecordsReader } from '../../evidence/reading.ts';
import { type ChangedBy, readingChangedBy } from '../../evidence/trials/built-anew.ts';
import type { ScratchRecord } from '../../evidence/trials/in-copy.ts';
import {
  type MadeByCommands,
  readingMadeByCommands,
} from '../../evidence/trials/made-by-commands.ts';
import { type ProofsTold, readingProofs } from '../../evidence/trials/proofs.ts';
import type { ChangesSeen } from '../../evidence/work.ts';
import type { Interruptible } from '../../lib/interruptible.ts';
import type { Stamped } from '../../schema/records.ts';
import { undoPlanner } from '../../undo/plan.ts';

export interface Recorded {
  readonly changes: ChangesSeen;
  /** True if an action reported that it changed something. */
  readonly saysChanged: boolean;
  readonly proofs: ProofsTold;
  /** Milliseconds that the last proof took; 0 when unknown. */
  readonly proofMs: number;
  readonly filesBySubtask: FilesBySubtask;
  readonly changedBy: ChangedBy;
  readonly made: MadeByCommands;
  /** Trials that were not skipped. */
  readonly trials: readonly ScratchRecord[];
}

/** @param readBlob for lists that do not fit into a record */
export function* readRecorded(
  records: Records,
  readBlob: (hash: string) => Uint8Array,
): Interruptible<Recorded> {
  const planner = undoPlanner();
  const proofs = readingProofs();
  const proofMs = readingProofMs();
  const filesBySubtask = readingFilesBySubtask();
  const changedBy = readingChangedBy();
  const made = readingMadeByCommands(readBlob);
  const trials: ScratchRecord[] = [];
  let saysChanged = false;
  yield* eachOf(records, (record) => {
    for (const reading of [planner, proofs, proofMs, filesBySubtask, changedBy, made])
      reading.take(record);
    saysChanged ||= record.type === 'action_finished' && record.facts.changed === true;
    if (record.type === 'check_ran' && record.scratch && !record.scratch.skipped)
      trials.push(record as ScratchRecord);
  });
  return {
    changes: planner.plan(),
    saysChanged,
    proofs: proofs.result(),
    proofMs: proofMs.result(),
    filesBySubtask: filesBySubtask.result(),
    changedBy: changedBy.result(),
    made: made.result(),
    trials,
  };
}

/** The time from the proof's intent to its outcome. */
function readingProofMs(): RecordsReader<number> {
  const begun = new Map<string, number>();
  let took = 0;
  return {
    take(record: Parameters<RecordsReader<number>['take']>[0] & Partial<Pick<Stamped, 'ts'>>) {
      if (record.type === 'action_intended') begun.set(record.id, record.ts ?? 0);
      if (record.type === 'check_ran' && record.proof && record.id !== null)
        took = (record.ts ?? 0) - (begun.get(record.id) ?? record.ts ?? 0);
    },
    result: () => took,
  };
}
