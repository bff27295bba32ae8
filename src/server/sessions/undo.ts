/** Puts back what a conversation changed in files: by whoever holds it open, else by its journal. */
import { defined } from '../../lib/defined.ts';
import type { UndoAnswer } from '../api/run-schemas.ts';
import type { SessionUndo } from '../api/session-schemas.ts';
import { busy } from '../http/problem.ts';
import type { ServerPlace } from '../place.ts';
import { undoAnswer } from '../runs/undo.ts';
import type { TalkRuntime } from './runtime.ts';

/** Throws E_LOCKED where another process holds it, and what its journal and the disk throw. */
export async function undoTalk(
  { engine }: ServerPlace,
  { id, workspace, held }: { id: string; workspace: string; held: TalkRuntime | undefined },
  { all, path, dryRun }: SessionUndo,
): Promise<UndoAnswer> {
  const wish = { session: id, ...defined({ all, file: path }) };
  if (dryRun === true) return undoAnswer.planned(await engine.planUndo(workspace, wish));
  if (held === undefined)
    return undoAnswer.done(
      await engine.undo({ workspace, forceUnlock: false, onRecord: () => {}, ...wish }),
    );
  if (path !== undefined)
    throw busy(
      'One file is put back only while nobody holds the conversation open.',
      'Close it: DELETE /api/sessions/{session}.',
    );
  return undoAnswer.done(await held.undo(all === true));
}
