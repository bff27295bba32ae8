/** Undoes the changes that a run or a conversation made in files, or brings in those that are withheld. */

import type { UndoSelection } from '../host/engine-port.ts';
import { defined } from '../lib/defined.ts';
import type { ApplyAnswer, RunSummary, UndoAnswer, UndoBody } from './api/run-schemas.ts';
import type { SessionUndo } from './api/session-schemas.ts';
import { busyRefusal } from './http/problem.ts';
import type { ServerPlace } from './place.ts';
import { mustWorkIn } from './roots.ts';
import type { Talk } from './sessions/talk.ts';

/** Throws E_OUTSIDE if the folder is below no root, unless it is to be shown only. */
export const undoBelowRoot = (
  place: ServerPlace,
  { id: run, path: workspace }: RunSummary,
  { path, dryRun }: UndoBody,
): Promise<UndoAnswer> =>
  undone(
    place,
    workspace,
    { run, ...defined({ file: path }) },
    { dryRun, release: async () => {} },
  );

/**
 * The same for a conversation, which the server's process releases first. Throws while a message is worked on,
 * E_LOCKED if another process holds it, and what journal and disk throw.
 */
export const undoTalk = (
  place: ServerPlace,
  talk: Talk,
  { all, path, dryRun }: SessionUndo,
): Promise<UndoAnswer> => {
  const release = async (): Promise<void> => {
    if (talk.isHeld && talk.isWorking)
      throw busyRefusal('A message is worked on.', 'Wait for its completed event, or cancel it.');
    await talk.close();
  };
  const which = { session: talk.id, ...defined({ all, file: path }) };
  return undone(place, talk.workspace, which, { dryRun, release });
};

async function undone(
  place: ServerPlace,
  workspace: string,
  which: UndoSelection,
  { dryRun, release }: { readonly dryRun?: boolean | undefined; release(): Promise<void> },
): Promise<UndoAnswer> {
  if (dryRun === true) {
    const plan = await place.engine.planUndo(workspace, which);
    return { outcome: 'planned', restored: [], removed: [], leftAlone: [], ...plan };
  }
  mustWorkIn(place, workspace);
  await release();
  const report = await place.engine.undo({ ...quietlyIn(workspace), ...which });
  return {
    ...report,
    restored: [...report.restored],
    removed: [...report.removed],
    leftAlone: [...report.leftAlone],
  };
}

const quietlyIn = (workspace: string) => ({ workspace, forceUnlock: false, onRecord: () => {} });

/** Throws E_OUTSIDE if the folder is below no root. */
export async function applyBelowRoot(
  place: ServerPlace,
  { id: run, path: workspace }: RunSummary,
): Promise<ApplyAnswer> {
  mustWorkIn(place, workspace);
  const report = await place.engine.applyRun({ ...quietlyIn(workspace), run });
  const { outcome, applied, leftAlone } = report;
  return { outcome, applied: [...applied], leftAlone: [...leftAlone] };
}
