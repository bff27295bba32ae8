/** Decides which journal a selection means: an existing one or a new one. */

import { isDeepStrictEqual } from 'node:util';
import type { StateFolder } from '../journal/layout.ts';
import { createJournal, type OpenedJournal, openingJournal } from '../journal/recover.ts';
import type { Fold, OpenPorts } from '../journal/replay.ts';
import { deriveRunId, hashGoal } from '../journal/runs/goal-id.ts';
import { nextNumber } from '../journal/runs/run-numbers.ts';
import {
  asChoice,
  chooseById,
  chooseRun,
  listJournalledRuns,
  makeCurrent,
  type RunChoice,
  runNamed,
} from '../journal/runs/runs.ts';
import type { Clock } from '../lib/clock.ts';
import { defined } from '../lib/defined.ts';
import { misuse, TardigradeError } from '../lib/errors.ts';
import type { Interruptible } from '../lib/interruptible.ts';
import { VERSION } from '../lib/version.ts';
import { type Limits, limitsIn } from '../schema/journal/limits.ts';
import { isSwapping } from '../schema/journal/swap.ts';
import { FORMAT_VERSION, type JournalRecord, type RecordOf } from '../schema/records.ts';
import type { ConversationState, RunState } from '../schema/state.ts';
import { reduce, STATE_SCHEMA } from './fold/fold.ts';
import { acceptOwnRun } from './foreign.ts';
import { type Origin, UNCHECKED } from './origin.ts';
import { CONVERSATION_FORMAT, RUN_FORMAT } from './run-format.ts';

export const RUN_FOLD: Fold<RunState, JournalRecord> = { schema: STATE_SCHEMA, reduce };

/** The fold for a journal that begins as a conversation; its format guarantees that it is one. */
export const CONVERSATION_FOLD = RUN_FOLD as Fold<ConversationState, JournalRecord>;

export interface RunSelection {
  /** `null`: continue the current run. */
  readonly goal: string | null;
  /** Starts over if the goal is reached or in progress. */
  readonly again: boolean;
  /** The run's id; without a goal, the run to continue (left out: the current one). */
  readonly run?: string | undefined;
  /** Journalled when a run begins. */
  readonly wants?: 'answer';
  readonly plainTry?: boolean;
  readonly agreePlan?: boolean;
  readonly parent?: RecordOf<'run_opened'>['parent'];
  readonly keep?: boolean;
  readonly withTests?: boolean;
  readonly proof?: string | null;
  readonly roles?: RecordOf<'run_opened'>['models'] | null;
  readonly template?: GivenPlan | null;
  readonly limits?: Limits;
}

/** A plan given by the caller, so no model is asked for one. */
export interface GivenPlan {
  readonly name: string;
  /** In the format in which people edit plans, with all variables filled in. */
  readonly text: string;
}

interface JournalOpening extends StateFolder {
  readonly clock: Clock;
  /** Left out: everything is trusted and nothing is signed. */
  readonly origin?: Origin;
}

/** Everything that opening or reading the journal of a run needs. */
export const runPorts = <Ports extends object>(ports: Ports) => ({
  ...ports,
  format: RUN_FORMAT,
  fold: RUN_FOLD,
});

/** The same for the journal of a conversation. */
export const conversationPorts = <Ports extends object>(ports: Ports) => ({
  ...ports,
  format: CONVERSATION_FORMAT,
  fold: CONVERSATION_FOLD,
});

type Opening = RecordOf<'run_opened'>;

/** The first record of a run. `startedAt`: ms since 1970. */
export function openingOf(
  goal: string,
  startedAt: number,
  { run, ...rest }: Partial<Omit<Opening, 'type' | 'format' | 'goalHash' | 'version'>> = {},
): Opening {
  const goalHash = hashGoal(goal);
  const format = FORMAT_VERSION;
  return {
    type: 'run_opened',
    format,
    goal,
    goalHash,
    startedAt,
    run: run ?? deriveRunId(goalHash, startedAt),
    ...rest,
    version: VERSION,
  };
}

/** Throws E_FOREIGN for a run that this user's agent did not write and nobody has adopted. */
export function* openOrCreate(
  { fs, layout, clock, origin = UNCHECKED }: JournalOpening,
  selection: RunSelection,
): Interruptible<{
  readonly opened: OpenedJournal<RunState, JournalRecord>;
  readonly isResumed: boolean;
}> {
  const { goal, again, run } = selection;
  const accept = acceptOwnRun(origin, layout, goal !== null);
  const ports = runPorts({ fs, layout, clock, accept });
  const runs = listJournalledRuns(ports);
  const choice = chosen(run, goal, runs, () => chooseRun(ports, goal, runs));
  const staysCurrent = choice.kind !== 'new' && choice.run.isCurrent && !again;
  const cutOff = staysCurrent ? null : yield* openCutOff(ports);
  if (cutOff) return { opened: cutOff, isResumed: true };
  const isUndone = choice.kind === 'finished' && choice.run.ended === 'undone' && goal !== null;
  if (choice.kind !== 'new' && !isUndone && (!again || goal === null)) {
    makeCurrent(ports, choice.run);
    const opened = yield* openingJournal(ports);
    if (opened && !again) return { opened, isResumed: true };
    opened?.journal.close();
  }
  const next = goal ?? (choice.kind === 'new' ? null : choice.run.goal);
  if (next === null)
    throw misuse('There is no run to resume in this folder.', 'Give a goal to start one.');
  makeCurrent(ports, null);
  const opening = openingOf(next, clock.now(), {
    number: nextNumber(ports, runs),
    ...wishesOf(selection),
  });
  const opened = createJournal(ports, origin.sign(opening, opening.run));
  return { opened, isResumed: false };
}

/** The fields of the first record besides the goal. */
function wishesOf({ limits = {}, goal, run, ...selection }: RunSelection) {
  const { wants, keep, withTests, proof, roles, parent, plainTry, agreePlan, template } = selection;
  const first = limitsIn(limits);
  return defined({
    wants,
    keep: keep ? true : undefined,
    withTests: withTests ? true : undefined,
    proof: proof ?? undefined,
    models: roles ?? undefined,
    limits: isDeepStrictEqual(first, {}) ? undefined : first,
    parent,
    // A plain try works before there is a plan, so it is not compatible with these options.
    plainTry: plainTry && !agreePlan && !template && !withTests && !roles ? true : undefined,
    agreePlan: agreePlan ? true : undefined,
    template: template?.name,
    planText: template?.text,
    run: goal === null ? undefined : run,
  } as const);
}

/** @param byGoal finds the run of the goal when no id was given */
function chosen(
  id: string | undefined,
  goal: string | null,
  runs: Parameters<typeof chooseById>[0],
  byGoal: () => RunChoice,
): RunChoice {
  if (id === undefined) return byGoal();
  return goal === null ? asChoice(runNamed(runs, id)) : chooseById(runs, id, goal);
}

/**
 * Opens the current journal if an undo or swap was cut off in it and another run would move it away. A journal
 * that someone else began is left alone.
 */
function* openCutOff(
  ports: OpenPorts<RunState, JournalRecord>,
): Interruptible<OpenedJournal<RunState, JournalRecord> | null> {
  const opened = yield* unlessForeign(openingJournal(ports));
  if (opened === null || isMovingFiles(opened.state)) return opened;
  opened.journal.close();
  return null;
}

function* unlessForeign<Value>(opening: Interruptible<Value>): Interruptible<Value | null> {
  try {
    return yield* opening;
  } catch (error) {
    if (error instanceof TardigradeError && error.code === 'E_FOREIGN') return null;
    throw error;
  }
}

/** True while files are being moved out of the folder or back into it. */
export const isMovingFiles = (state: RunState): boolean =>
  isSwapping(state) || (state.undo !== null && !state.undo.finished);
