/** A subtask in words. */
import { type Plan, type Subtask, subtasksOf } from '../schema/plan.ts';

export const stepText = ({ step, purpose }: Subtask): string =>
  step ? `${step.action} ${step.target}: ${purpose}` : purpose;

/** Where a subtask stands among those that have not failed: `2 of 3`. */
export function subtaskPosition(subtask: Subtask, plan: Plan): string {
  const all = livingSubtasks(plan);
  return `${all.indexOf(subtask) + 1} of ${all.length}`;
}

export const livingSubtasks = (plan: Plan): readonly Subtask[] =>
  subtasksOf(plan).filter((one) => one.status !== 'failed');

/** `2 of 6`: failed subtasks belong to a replaced plan and do not count; '' if there are no others. */
export function doneOf(plan: Plan): string {
  const all = livingSubtasks(plan);
  if (all.length === 0) return '';
  return `${all.filter(({ status }) => isDone(status)).length} of ${all.length}`;
}

const isDone = (status: Subtask['status']): boolean =>
  status === 'completed' || status === 'unverified';
