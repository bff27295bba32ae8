/** The two programs that meet faults: a goal run to its end, and its undo. */
import { type RunResult, runGoal } from '../../src/agent.ts';
import { layoutOf } from '../../src/journal/layout.ts';
import { newDirectory, newFile, writeInto } from '../../src/lib/files/memory-nodes.ts';
import { runSync } from '../../src/lib/interruptible.ts';
import { openUnderLock } from '../../src/run/open.ts';
import { undoingOpened } from '../../src/undo/open-run.ts';
import type { UndoReport } from '../../src/undo/report.ts';
import { SCRIPTED_MODEL } from '../support/scripted-provider.ts';
import { SimulatedDisk } from '../support/simulated-disk.ts';
import { type Fault, SimulatedFileSystem } from '../support/simulated-file-system.ts';
import { GOAL, NOTES, OLD_NOTES } from './engine-model.ts';
import {
  demand,
  type EngineBug,
  machineOn,
  providerOn,
  type Witness,
  WORKSPACE,
} from './engine-world.ts';

export const LAYOUT = layoutOf(WORKSPACE);
export const NOTES_MODE = 0o640;

/** One start of a process; what it says at its end, or the error it died with. */
export type Start = (
  fs: SimulatedFileSystem,
  witness: Witness,
  bug: EngineBug,
) => Promise<RunResult | UndoReport>;

/** A machine with a workspace in which somebody keeps notes. */
export function freshMachine(fault?: Fault): SimulatedFileSystem {
  const root = newDirectory(0o755, 0);
  const workspace = newDirectory(0o755, 0);
  const notes = newFile(NOTES_MODE, 0);
  writeInto(notes, Buffer.from(OLD_NOTES), 0);
  notes.links = 1;
  workspace.entries.set(NOTES, notes);
  root.entries.set(WORKSPACE.slice(1), workspace);
  return new SimulatedFileSystem({ fault }, new SimulatedDisk(root));
}

async function work(
  goal: string | null,
  fs: SimulatedFileSystem,
  witness: Witness,
  bug: EngineBug,
): Promise<RunResult> {
  const machine = machineOn(fs, witness, bug);
  await bug.before?.(machine, witness);
  const uproot = bug.plant?.();
  try {
    const result = await runGoal({
      workspace: WORKSPACE,
      goal,
      provider: providerOn(fs, witness),
      model: SCRIPTED_MODEL,
      emit: (event) => witness.hear(event),
      machine,
    });
    witness.atBarrier(fs, 'the run ended');
    // A run that had ended already says nothing on its way.
    witness.state = result.state;
    return result;
  } finally {
    uproot?.();
  }
}

export const runToEnd: Start = (fs, witness, bug) => work(GOAL, fs, witness, bug);

/** What `agent undo` does. */
export const undo: Start = async (fs, witness, bug) => {
  const machine = machineOn(fs, witness, bug);
  const emit = witness.hear.bind(witness);
  const opened = openUnderLock({
    workspace: WORKSPACE,
    again: false,
    forceUnlock: false,
    goal: null,
    emit,
    machine,
  });
  try {
    return runSync(undoingOpened(opened, machine));
  } finally {
    opened.close();
  }
};

/** An undo that was cut off is finished by whatever is started next. */
export const finishUndo: Start = async (fs, witness, bug) => {
  const wasBegun = [...witness.acknowledged.values()].some(({ type }) => type === 'undo_started');
  if (!wasBegun) return undo(fs, witness, bug);
  const result = await work(null, fs, witness, bug);
  demand(result.state.undo?.finished === true, 'the undo was not finished by the next start');
  return result;
};
