/** Which journal a wish means: one that goes on, or one that begins. */
import { chooseRun, makeCurrent } from '../journal/goals.ts';
import type { Layout } from '../journal/layout.ts';
import { createJournal, type Fold, type OpenedJournal, openJournal } from '../journal/recover.ts';
import type { Clock } from '../lib/clock.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { FileSystem } from '../lib/file-system.ts';
import { VERSION } from '../lib/version.ts';
import type { RunState } from '../schema/state.ts';
import { STATE_SCHEMA, step } from './fold/fold.ts';

export const RUN_FOLD: Fold<RunState> = { schema: STATE_SCHEMA, step };

export interface RunWish {
  /** `null`: go on with the current run. */
  readonly goal: string | null;
  /** Starts over when the goal is reached or under way already. */
  readonly again: boolean;
}

interface Place {
  readonly fs: FileSystem;
  readonly layout: Layout;
  readonly clock: Clock;
}

export function openOrCreate(
  { fs, layout, clock }: Place,
  { goal, again }: RunWish,
): { readonly opened: OpenedJournal<RunState>; readonly isResumed: boolean } {
  const ports = { fs, layout, clock, fold: RUN_FOLD };
  const choice = chooseRun(ports, goal);
  const undoing = choice.kind !== 'new' && choice.run.isCurrent ? null : openUndoing(ports);
  if (undoing) return { opened: undoing, isResumed: true };
  const isUndone = choice.kind === 'finished' && choice.run.ended === 'undone' && goal !== null;
  if (choice.kind !== 'new' && !again && !isUndone) {
    makeCurrent(ports, choice.run);
    const opened = openJournal(ports);
    if (opened) return { opened, isResumed: true };
  }
  const next = goal ?? (choice.kind === 'new' ? null : choice.run.goal);
  if (next === null)
    throw new TardigradeError(
      'E_USAGE',
      'There is no run to resume in this folder.',
      'Start one with: agent "your goal"',
    );
  makeCurrent(ports, null);
  return { opened: createJournal(ports, { goal: next, version: VERSION }), isResumed: false };
}

/** The current journal, when it is in the middle of an undo and another goal would move it away. */
function openUndoing(ports: Parameters<typeof openJournal<RunState>>[0]) {
  const opened = openJournal(ports);
  if (opened === null || isUndoing(opened.state)) return opened;
  opened.journal.close();
  return null;
}

const isUndoing = ({ undo }: RunState): boolean => undo !== null && !undo.finished;
