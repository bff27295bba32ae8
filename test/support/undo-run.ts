/** An undo that nobody interrupts. */
import { runSync } from '../../src/lib/interruptible.ts';
import type { UndoReport } from '../../src/undo/report.ts';
import { type UndoDeps, undoing } from '../../src/undo/restore.ts';

export const undoRun = (deps: UndoDeps, only?: string): UndoReport => runSync(undoing(deps, only));
