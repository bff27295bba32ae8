/** A subtask in words. */
import { type Plan, type Subtask, subtasksOf } from '../schema/plan.ts';

export const stepText = (subtask: Subtask): string => {
  const { step } = subtask;
  switch (step.action) {
    case 'run_cmd':
      return `run_cmd ${step.cmd}: ${subtask.purpose}`;
    case 'list_dir':
      return `list_dir ${step.path}: ${subtask.purpose}`;
    case 'goal':
      return subtask.purpose;
    default:
      return `${step.action} ${step.file}: ${subtask.purpose}`;
  }
};

/** Where a subtask stands among those that have not failed: `2 of 3`. */
export function placeOf(subtask: Subtask, plan: Plan): string {
  const all = livingSubtasks(plan);
  return `${all.indexOf(subtask) + 1} of ${all.length}`;
}

export const livingSubtasks = (plan: Plan): readonly Subtask[] =>
  subtasksOf(plan).filter((one) => one.status !== 'failed');
