/** Decides which run a start continues and which it sets aside. */
import type { Belief, RunListing } from '../../host/engine-port.ts';
import { believedFor } from '../../host/journals/origin.ts';
import { isSameGoal } from '../../journal/runs/goal-id.ts';
import type { TardigradeError } from '../../lib/errors.ts';
import { orNull } from '../../lib/or-null.ts';
import type { RunState } from '../../schema/state.ts';
import { isFinished } from '../../schema/state-parts/untried.ts';
import { doneText } from '../../steps/gate/not-done.ts';
import type { CommandContext } from '../command-context.ts';
import { sameWorkCommand } from '../command-line/resume-command.ts';
import { AGENT, usageError } from '../process/program-name.ts';
import { cut, oneLine } from '../render/text/text.ts';
import { selectedRun } from '../selected-run.ts';

export interface WhichRun {
  /** The id of the run whose number was typed. */
  readonly id: string | undefined;
  /** False if no run of this folder has that goal. */
  readonly isThere: boolean;
  /** The run's state, if trusted: the model and the address that the start continues with. */
  readonly state: RunState | null;
  /** Whether that run has already reached its goal: nothing is done and no model is asked. */
  readonly isOver: boolean;
  /** A notice if another run than the current one continues; '' if none is set aside. */
  readonly setAside: string;
}

/**
 * @param goal `null` for a run that continues
 * Throws E_FOREIGN for somebody else's run, E_USAGE if there is none to continue.
 */
export function whichRun(context: CommandContext, goal: string | null): WhichRun {
  const { invocation, engine } = context;
  const { workspace, model, again = false } = invocation;
  const meant = selectedRun(context);
  // With goal and model given, nothing is read from the folder; opening it reports what is wrong.
  const isTold = goal !== null && model !== undefined;
  const belief = isTold ? beliefOrNone(context) : engine.beliefIn(workspace);
  const current = belief.kind === 'none' ? null : belief.state;
  if (goal === null && meant === null && current === null && isEmpty(context)) throw noRun();
  const other = meant ?? (goal === null || isTold ? null : runOf(goal, current, context));
  const isOther = other !== null && !other.isCurrent;
  const believed = isOther ? engine.beliefIn(workspace, other.id) : belief;
  const refuse = (mayBeginAnew: boolean) =>
    engine.foreignRun(workspace, mayBeginAnew, isOther ? other.id : undefined);
  const state = isTold ? null : believedFor(believed, { goal, again }, refuse);
  const known = isTold && belief.kind === 'own' ? current : state;
  const isMeant = known !== null && (goal === null || isSameGoal(goal, known.goal));
  const isCurrent = goal !== null && current !== null && isSameGoal(goal, current.goal);
  const isElsewhere = isOther || (goal !== null && current !== null && !isCurrent);
  return {
    id: meant?.id,
    isThere: goal === null || other !== null || isCurrent,
    state,
    isOver: isMeant && !again && isFinished(known),
    setAside: isElsewhere && current !== null ? setAsideText(current, context) : '',
  };
}

const beliefOrNone = ({ engine, invocation }: CommandContext): Belief =>
  orNull(() => engine.beliefIn(invocation.workspace)) ?? { kind: 'none' };

const isEmpty = ({ engine, invocation }: CommandContext): boolean =>
  engine.listRuns(invocation.workspace).length === 0;

const noRun = (): TardigradeError =>
  usageError(
    'There is no run to resume in this folder.',
    `Start one: ${AGENT} "goal". If it is in another folder, add --workspace.`,
  );

function runOf(
  goal: string,
  current: RunState | null,
  { engine, invocation }: CommandContext,
): RunListing | null {
  if (current !== null && isSameGoal(goal, current.goal)) return null;
  const runs = engine.listRuns(invocation.workspace);
  return runs.find((run) => run.status !== 'damaged' && isSameGoal(goal, run.goal)) ?? null;
}

const LONGEST_GOAL = 60;

/** `Set aside: "Write a todo list" (2 of 6 done). Back to it: agent resume 1`. */
function setAsideText(current: RunState, { engine, invocation, terminal }: CommandContext): string {
  if (current.ended !== null) return '';
  const { workspace, workspaceOption } = invocation;
  const run = engine.listRuns(workspace).find(({ id }) => id === current.run);
  const number = run?.number ?? null;
  const back =
    number === null
      ? 'its goal again'
      : sameWorkCommand('resume', { runNumber: number, workspaceOption }, terminal);
  const goal = cut(oneLine(current.goal), LONGEST_GOAL);
  return `Set aside: "${goal}"${doneText(current)}. Back to it: ${back}`;
}
