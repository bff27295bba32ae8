/** Undoes the changes that a run made in files, or brings in those that are withheld. */
import type { UndoPreview, UndoReport } from '../../host/engine-port.ts';
import { defined } from '../../lib/defined.ts';
import type { ApplyAnswer, RunSummary, UndoAnswer, UndoBody } from '../api/run-schemas.ts';
import type { ServerPlace } from '../place.ts';

/** The answer for clients. */
export const undoAnswer = {
  planned: (plan: UndoPreview | null): UndoAnswer => {
    const nothing = { restored: [], removed: [], leftAlone: [] };
    return { outcome: 'planned', ...nothing, ...(plan ?? {}) };
  },
  done: (report: UndoReport): UndoAnswer => ({
    ...report,
    restored: [...report.restored],
    removed: [...report.removed],
    leftAlone: [...report.leftAlone],
  }),
};

export async function undo(
  { engine }: ServerPlace,
  { id: run, path: workspace }: RunSummary,
  { path, dryRun = false }: UndoBody,
): Promise<UndoAnswer> {
  const selection = { run, ...defined({ file: path }) };
  if (dryRun) return undoAnswer.planned(await engine.planUndo(workspace, selection));
  const parts = { workspace, forceUnlock: false, onRecord: () => {} };
  return undoAnswer.done(await engine.undo({ ...parts, ...selection }));
}

export async function apply(
  { engine }: ServerPlace,
  { id: run, path: workspace }: RunSummary,
): Promise<ApplyAnswer> {
  const parts = { workspace, forceUnlock: false, onRecord: () => {} };
  const { outcome, applied, leftAlone } = await engine.applyRun({ ...parts, run });
  return { outcome, applied: [...applied], leftAlone: [...leftAlone] };
}
