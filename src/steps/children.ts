/**
 * Decides when subtasks become runs of their own (children). Pure.
 * 1. Consecutive independent subtasks of the plan run at the same time. No result is taken before the last one
 *    has ended, so each starts with the same files however many work in parallel.
 * 2. Their results are joined, and reported to the model, in the order of the plan.
 * 3. A subtask whose result could not be taken becomes an ordinary subtask.
 * 4. If a person, a limit or a provider stops a child, the run pauses once all other children have ended or wait
 *    too.
 */
import { childOf, unreportedChild } from '../context-manager/fold/work/children.ts';
import { type Subtask, subtasksOf } from '../schema/plan.ts';
import type { RunState } from '../schema/state.ts';
import type { Child } from '../schema/state-parts/children.ts';
import { roundLimit } from './rounds.ts';
import { isPending } from './select.ts';
import type { Limits, Step } from './step.ts';

export function childrenStep(state: RunState, limits: Limits): Step | null {
  if (state.active || state.replan || state.child !== undefined) return null;
  const unreported = unreportedChild(state);
  if (unreported !== undefined) return { do: 'tell_child', subtask: unreported.subtask };
  const row = inRow(state, limits);
  const open = row.filter(isOpen);
  const ready = open.filter(({ child }) => child?.paused === undefined);
  if (ready.length > 0)
    return roundLimit(state, limits) ?? { do: 'run_children', subtasks: ready.map(({ id }) => id) };
  // Invariant 4.
  const paused = open[0]?.child?.paused;
  if (paused !== undefined) return { do: 'pause', ...paused };
  const [first] = row;
  return first === undefined ? null : { do: 'join_child', subtask: first.id };
}

/** The number of children that have not ended, begun or not. */
export const openChildren = (state: RunState, limits: Limits): number =>
  inRow(state, limits).filter(isOpen).length;

const isOpen = ({ child }: InRow): boolean => child === undefined || child.is === 'running';

interface InRow {
  readonly id: string;
  readonly child: Child | undefined;
}

/** The subtasks from the first open one up to the first that cannot be a child. */
function inRow(state: RunState, { parallel = 1 }: Limits): readonly InRow[] {
  const row: InRow[] = [];
  for (const subtask of state.plan ? subtasksOf(state.plan) : []) {
    const child = childOf(state, subtask.id);
    // Invariant 3.
    if (!isPending(subtask) || child?.is === 'left') continue;
    if (child === undefined && (parallel < 2 || !mayBeChild(subtask))) return row;
    row.push({ id: subtask.id, child });
  }
  return row;
}

const mayBeChild = ({ independent }: Subtask): boolean => independent === true;
