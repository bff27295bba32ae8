/**
 * Puts one file of a run back and leaves the rest of its work alone. The run is not closed by it: to
 * the run it is as if a person had changed the file, and undoing it later finds the file done.
 */
import { storageError } from '../lib/durable-files.ts';
import { contentReader } from '../workspace/packs.ts';
import { planUndo } from './plan.ts';
import { report, restore, type UndoDeps, type UndoReport } from './restore.ts';

/** Throws E_DISK_FULL, E_IO and what the journal throws; called again, it finds the file done. */
export function undoFile(deps: UndoDeps, path: string): UndoReport {
  try {
    const plan = planUndo(deps.records(), deps.readBlob);
    if (plan.state === 'finished') return report('already_undone', [], plan);
    const file = plan.files.find((one) => one.path === path);
    if (file === undefined) return { ...report('nothing_to_undo', [], plan), commands: [] };
    const readBlob = contentReader(plan.manifests, deps.readBlob);
    const restored = restore(file, { ...deps, readBlob });
    // A note changes no state. The file was replaced in one step, so nothing is lost without it.
    deps.append({ type: 'note', kind: 'file_put_back', data: { ...restored } });
    return { ...report('undone', [restored], plan), commands: [] };
  } catch (error) {
    throw storageError(error, `putting ${path} back in ${deps.workspace}`);
  }
}
