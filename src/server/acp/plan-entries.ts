/** Pure: the plan tree of a run as the flat list that editors show; a number says where an entry stands in the tree. */
import type { PlanEntry } from '@agentclientprotocol/sdk';
import { oneLine } from '../../lib/text/plain-text.ts';
import { type Plan, type Subtask, type SubtaskStatus, statusOfTask } from '../../schema/plan.ts';

/** An editor knows three states. What failed, or is not proved, is never shown as if it were done and proved. */
const SHOWN: {
  readonly [status in SubtaskStatus]: { readonly as: PlanEntry['status']; readonly words: string };
} = {
  pending: { as: 'pending', words: '' },
  in_progress: { as: 'in_progress', words: '' },
  completed: { as: 'completed', words: '' },
  unverified: { as: 'completed', words: ' (not verified)' },
  failed: { as: 'pending', words: ' (failed)' },
};

export function planEntries(plan: Plan): PlanEntry[] {
  return plan.tasks.flatMap((task) => {
    const { id, description, subtasks } = task;
    const whole = entry(id, description, statusOfTask(task));
    const [first, second] = subtasks;
    // A goal that is its own only subtask stands there once.
    if (second === undefined && first?.purpose === description) return [whole];
    return [whole, ...subtasks.map((one) => entry(one.id, one.purpose, one.status))];
  });
}

function entry(id: string, words: string, status: SubtaskStatus): PlanEntry {
  const { as, words: more } = SHOWN[status];
  return { content: `${id} ${oneLine(words)}${more}`, priority: 'medium', status: as };
}

/** The same plan, in which one subtask stands otherwise. */
export const withStatus = (plan: Plan, subtask: string, status: Subtask['status']): Plan => ({
  ...plan,
  tasks: plan.tasks.map((task) => ({
    ...task,
    subtasks: task.subtasks.map((one) => (one.id === subtask ? { ...one, status } : one)),
  })),
});
