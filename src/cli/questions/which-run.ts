/** Which run a start goes on with, and which it sets aside. */
import type { Belief, RunListing } from '../../host/engine-port.ts';
import { believedFor } from '../../host/journals/origin.ts';
import { isSameGoal } from '../../journal/runs/goal-id.ts';
import type { TardigradeError } from '../../lib/errors.ts';
import type { RunState } from '../../schema/state.ts';
import { isFinished } from '../../schema/state-parts/untried.ts';
import { doneText } from '../../steps/gate/not-done.ts';
import type { CommandContext } from '../command-context.ts';
import { ownCommand, usageError } from '../process/program-name.ts';
import { cut, oneLine } from '../render/text/text.ts';
import { selectedRun } from '../selected-run.ts';

export interface WhichRun {
  /** Its name, where it is another than the current one and no goal is given. */
  readonly id: string | undefined;
  /** False for a goal that nothing of this folder is about. */
  readonly isThere: boolean;
  /** Its state as far as it is believed: the model and the address that the start goes on with. */
  readonly state: RunState | null;
  /** True where the goal of that run is reached already: nothing is done, and no model is asked. */
  readonly isOver: boolean;
  /** Said where another run than the current one is worked on; '' where none is set aside. */
  readonly setAside: string;
}

/**
 * @param goal `null` for a run that goes on
 * Throws E_FOREIGN for a run that is not this user's, E_USAGE where there is none to go on with.
 */
export function whichRun(context: CommandContext, goal: string | null): WhichRun {
  const { invocation, engine } = context;
  const { workspace, model, again = false } = invocation;
  const meant = selectedRun(context);
  // Nothing of the folder is asked for then; what is wrong with it is for opening it to say.
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

function beliefOrNone({ engine, invocation }: CommandContext): Belief {
  try {
    return engine.beliefIn(invocation.workspace);
  } catch {
    return { kind: 'none' };
  }
}

const isEmpty = ({ engine, invocation }: CommandContext): boolean =>
  engine.listRuns(invocation.workspace).length === 0;

const noRun = (): TardigradeError =>
  usageError(
    'There is no run to resume in this folder.',
    (agent) => `Start one: ${agent} "goal". If it is in another folder, add --workspace.`,
  );

/** The run of a goal that is not the current one. */
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
  const words = [
    'resume',
    ...(number === null ? [] : [String(number)]),
    ...(workspaceOption === null ? [] : ['--workspace', workspaceOption]),
  ];
  const back = number === null ? 'its goal again' : ownCommand(terminal, words);
  const goal = cut(oneLine(current.goal), LONGEST_GOAL);
  return `Set aside: "${goal}"${doneText(current)}. Back to it: ${back}`;
}
