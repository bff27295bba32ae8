/** Pure: the plan tree of a run as the flat list that editors show; a number gives each entry's place in the tree. */
import type { PlanEntry } from '@agentclientprotocol/sdk';
import { oneLine } from '../../lib/text/plain-text.ts';
import { type Plan, type SubtaskStatus, statusOfTask } from '../../schema/plan.ts';

/** An editor knows three states. A failed or unproved subtask is never shown as done and proved. */
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
    // If the only subtask equals the goal, the goal is listed once.
    if (second === undefined && first?.purpose === description) return [whole];
    return [whole, ...subtasks.map((one) => entry(one.id, one.purpose, one.status))];
  });
}

function entry(id: string, words: string, status: SubtaskStatus): PlanEntry {
  const { as, words: more } = SHOWN[status];
  return { content: `${id} ${oneLine(words)}${more}`, priority: 'medium', status: as };
}
