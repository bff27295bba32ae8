/** Undoes the changes that a conversation made in files, by its journal; the server's process releases it first. */
import { defined } from '../../lib/defined.ts';
import type { UndoAnswer } from '../api/run-schemas.ts';
import type { SessionUndo } from '../api/session-schemas.ts';
import { busyRefusal } from '../http/problem.ts';
import type { ServerPlace } from '../place.ts';
import { mustWorkIn } from '../roots.ts';
import { undoAnswer } from '../runs/undo.ts';
import type { Talk } from './talk.ts';

/** Throws E_OUTSIDE if the folder is below no root, while a message is worked on, E_LOCKED if another process holds it, and what journal and disk throw. */
export async function undoTalk(
  place: ServerPlace,
  talk: Talk,
  { all, path, dryRun }: SessionUndo,
): Promise<UndoAnswer> {
  const { engine } = place;
  const { id: session, workspace } = talk;
  const selection = { session, ...defined({ all, file: path }) };
  if (dryRun === true) return undoAnswer.planned(await engine.planUndo(workspace, selection));
  mustWorkIn(place, workspace);
  if (talk.isHeld && talk.isWorking)
    throw busyRefusal('A message is worked on.', 'Wait for its completed event, or cancel it.');
  await talk.close();
  const parts = { workspace, forceUnlock: false, onRecord: () => {} };
  return undoAnswer.done(await engine.undo({ ...parts, ...selection }));
}
