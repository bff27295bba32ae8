import { runPorts } from '../context-manager/open-or-create.ts';
import type { Accept } from '../context-manager/origin.ts';
import { RUN_FORMAT } from '../context-manager/run-format.ts';
import { createBlobStore } from '../journal/blobs.ts';
import { layoutOf, prepareLayout } from '../journal/layout.ts';
import { acquireLock } from '../journal/lock/lock.ts';
import { JOURNAL_BEGIN, readPage } from '../journal/read-journal.ts';
import { openJournal } from '../journal/recover.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { Machine } from '../run/machine.ts';
import { undoRun } from '../run/undo.ts';
import { planUndo, type UndoFile } from '../run/undo-plan.ts';
import type { Located } from '../schema/records.ts';
import type { UndoPlan, UndoReport, UndoRequest } from './engine-port.ts';
import { hashIn } from './origin.ts';

/** What an undo of the current run would do; `null` without a run. Changes nothing. */
export function undoPlan(
  machine: Machine,
  workspace: string,
  accept: Accept = believeAll,
): UndoPlan | null {
  const records = [...recordsOf(machine, workspace)];
  const [opened] = records;
  if (opened?.type !== 'run_opened') return null;
  const adopted = records.findLast((record) => record.type === 'adopted');
  accept({ ...opened, adopted }, hashIn(machine.fs, layoutOf(workspace)));
  const blobs = createBlobStore(machine.fs, layoutOf(machine.fs.realpath(workspace)).blobs);
  const plan = planUndo(records, (hash) => blobs.read(hash));
  const { files, commands, isWatched, unseen, uncovered } = plan;
  const isPlanned = new Set(files.map(({ path }) => path));
  return {
    goal: opened.goal,
    files: files.map(lineOf),
    left: [
      ...uncovered.map(({ path, became }) => `${path} (${became} by a command, and not kept)`),
      ...unseen
        .filter(({ path }) => !isPlanned.has(path))
        .map(({ path }) => `${path} (while the run was cut off, nobody knows by whom)`),
    ],
    ...{ commands, isWatched },
  };
}

function lineOf({ path, writes }: UndoFile): string {
  const isByCommand = writes.every(({ by }) => by === 'command');
  if (writes[0]?.before !== null)
    return `${path} (${isByCommand ? 'changed by a command, ' : ''}will be put back)`;
  return `${path} (${isByCommand ? 'made by a command' : 'created by the run'}, will be removed)`;
}

/** Throws E_LOCKED, E_FOREIGN, and what the journal and the disk throw. Called again, it goes on. */
export function undo(
  machine: Machine,
  request: UndoRequest,
  accept: Accept = believeAll,
): UndoReport {
  const { fs, clock, identity } = machine;
  const workspace = fs.realpath(request.workspace);
  const layout = layoutOf(workspace);
  prepareLayout(fs, layout);
  const ports = { fs, directory: layout.lock, identity, clock };
  const lock = acquireLock(ports, { force: request.forceUnlock });
  try {
    const opened = openJournal(runPorts({ fs, layout, clock, accept }));
    if (opened === null) throw nothingToUndo();
    const { journal } = opened;
    try {
      return undoRun({
        fs,
        workspace,
        records: () => recordsOf(machine, workspace),
        append: (record) => request.onRecord(journal.append(record)),
        readBlob: (hash) => journal.blobs.read(hash),
        keepBlob: (bytes) => journal.blobs.keep(bytes),
      });
    } finally {
      journal.close();
    }
  } finally {
    lock.release();
  }
}

/** For a caller that answers for the folder. */
const believeAll: Accept = () => {};

const nothingToUndo = (): TardigradeError =>
  new TardigradeError('E_USAGE', 'There is no run to undo.', 'See what there is: agent runs');

function* recordsOf({ fs }: Machine, workspace: string): Generator<Located> {
  const { history } = layoutOf(workspace);
  let cursor = JOURNAL_BEGIN;
  for (;;) {
    const page = readPage({ fs, format: RUN_FORMAT }, history, cursor);
    yield* page.records;
    if (page.isEnd) return;
    cursor = page.next;
  }
}
