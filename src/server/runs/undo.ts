/** Undoes the changes that a run made in files, or brings in those that are withheld. */

import { defined } from '../../lib/defined.ts';
import type { UndoPreview } from '../../undo/preview.ts';
import type { UndoReport } from '../../undo/report.ts';
import type { ApplyAnswer, RunSummary, UndoAnswer, UndoBody } from '../api/run-schemas.ts';
import type { ServerPlace } from '../place.ts';
import { mustWorkIn } from '../roots.ts';

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

/** Throws E_OUTSIDE if the folder is below no root, unless it is to be shown only. */
export async function undoBelowRoot(
  place: ServerPlace,
  { id: run, path: workspace }: RunSummary,
  { path, dryRun = false }: UndoBody,
): Promise<UndoAnswer> {
  const { engine } = place;
  const selection = { run, ...defined({ file: path }) };
  if (dryRun) return undoAnswer.planned(await engine.planUndo(workspace, selection));
  mustWorkIn(place, workspace);
  const parts = { workspace, forceUnlock: false, onRecord: () => {} };
  return undoAnswer.done(await engine.undo({ ...parts, ...selection }));
}

/** Throws E_OUTSIDE if the folder is below no root. */
export async function applyBelowRoot(
  place: ServerPlace,
  { id: run, path: workspace }: RunSummary,
): Promise<ApplyAnswer> {
  mustWorkIn(place, workspace);
  const parts = { workspace, forceUnlock: false, onRecord: () => {} };
  const { outcome, applied, leftAlone } = await place.engine.applyRun({ ...parts, run });
  return { outcome, applied: [...applied], leftAlone: [...leftAlone] };
}
