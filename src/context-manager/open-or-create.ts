/** Which journal a wish means: one that goes on, or one that begins. */
import { deriveRunId, hashGoal } from '../journal/goal-id.ts';
import { chooseRun, makeCurrent } from '../journal/goals.ts';
import type { Layout } from '../journal/layout.ts';
import {
  createJournal,
  type Fold,
  type OpenedJournal,
  type OpenPorts,
  openJournal,
} from '../journal/recover.ts';
import type { Clock } from '../lib/clock.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { FileSystem } from '../lib/file-system.ts';
import { VERSION } from '../lib/version.ts';
import { FORMAT_VERSION, type JournalRecord, type RecordOf } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import { reduce, STATE_SCHEMA } from './fold/fold.ts';
import { RUN_FORMAT } from './run-format.ts';

export const RUN_FOLD: Fold<RunState, JournalRecord> = { schema: STATE_SCHEMA, reduce };

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

/** Everything that opening or reading the journal of a run takes. */
export const runPorts = <Ports extends object>(ports: Ports) => ({
  ...ports,
  format: RUN_FORMAT,
  fold: RUN_FOLD,
});

/** The first record of a run. `startedAt`: ms since 1970. */
export function openingOf(goal: string, startedAt: number): RecordOf<'run_opened'> {
  const goalHash = hashGoal(goal);
  const run = deriveRunId(goalHash, startedAt);
  const format = FORMAT_VERSION;
  return { type: 'run_opened', format, run, goal, goalHash, startedAt, version: VERSION };
}

export function openOrCreate(
  { fs, layout, clock }: Place,
  { goal, again }: RunWish,
): { readonly opened: OpenedJournal<RunState, JournalRecord>; readonly isResumed: boolean } {
  const ports = runPorts({ fs, layout, clock });
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
  return { opened: createJournal(ports, openingOf(next, clock.now())), isResumed: false };
}

/** The current journal, when it is in the middle of an undo and another goal would move it away. */
function openUndoing(ports: OpenPorts<RunState, JournalRecord>) {
  const opened = openJournal(ports);
  if (opened === null || isUndoing(opened.state)) return opened;
  opened.journal.close();
  return null;
}

const isUndoing = ({ undo }: RunState): boolean => undo !== null && !undo.finished;
